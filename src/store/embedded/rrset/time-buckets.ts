/**
 * When an RRset was seen, in buckets of time that grow coarser with age. A bucket is a calendar unit (UTC) with what was
 * seen in it; one sighting that spans more than a year has the era as its bucket. Buckets of the same unit and start
 * merge. Which unit a bucket fades to depends on its own end and on now alone, so it does not matter when fading is
 * done: merging then fading, and fading then merging, give the same.
 *
 * On disk a list of buckets is, for each: a byte with the unit and 0x80 where another follows, the first second as four
 * bytes, then last − first and count as varints.
 */
import type { Sighting } from '../../../model/dns/rrset.ts';
import { readVarint, varintEnd, writeVarint } from './varint.ts';

export const units = ['minute', 'hour', 'day', 'month', 'year', 'era'] as const;
const era = 5;
const moreFlag = 0x80;

const minuteSeconds = 60;
const hourSeconds = 3600;
const daySeconds = 86_400;

/** How long after its end a bucket of this unit stays as it is. */
const keptSeconds = [2 * hourSeconds, 2 * daySeconds, 60 * daySeconds, 730 * daySeconds] as const;

export interface Bucket extends Sighting {
  /** Index in `units`. */
  readonly unit: number;
  readonly startSeconds: number;
}

/** The largest encoding of one bucket. */
export const bucketBytesMax = 1 + 4 + 5 + 8;

/** The least unit that holds the whole sighting. */
export function unitOf(firstSeconds: number, lastSeconds: number): number {
  if (lastSeconds - firstSeconds >= 366 * daySeconds) return era;
  for (let unit = 0; unit <= 2; unit += 1) {
    if (startOf(unit, firstSeconds) === startOf(unit, lastSeconds)) return unit;
  }
  const firstMonth = monthOf(firstSeconds);
  const lastMonth = monthOf(lastSeconds);
  if (firstMonth === lastMonth) return 3;
  return Math.floor(firstMonth / 12) === Math.floor(lastMonth / 12) ? 4 : era;
}

export function startOf(unit: number, seconds: number): number {
  if (unit === 0) return seconds - (seconds % minuteSeconds);
  if (unit === 1) return seconds - (seconds % hourSeconds);
  if (unit === 2) return seconds - (seconds % daySeconds);
  if (unit === era) return 0;
  const month = monthOf(seconds);
  return daysBefore(unit === 3 ? month : month - (month % 12)) * daySeconds;
}

function endOf(unit: number, startSeconds: number): number {
  if (unit === 0) return startSeconds + minuteSeconds;
  if (unit === 1) return startSeconds + hourSeconds;
  if (unit === 2) return startSeconds + daySeconds;
  return daysBefore(monthOf(startSeconds) + (unit === 3 ? 1 : 12)) * daySeconds;
}

/** The unit in which a bucket is shown now. */
function fadedUnit(unit: number, seconds: number, nowSeconds: number): number {
  let faded = unit;
  while (
    faded < keptSeconds.length &&
    nowSeconds - endOf(faded, startOf(faded, seconds)) > (keptSeconds[faded] as number)
  ) {
    faded += 1;
  }
  return faded;
}

/** Buckets as they are now, merged and in order of time. */
export function fade(buckets: readonly Bucket[], nowSeconds: number): Bucket[] {
  const merged = new Map<number, Bucket>();
  for (const bucket of buckets) {
    const unit = fadedUnit(bucket.unit, bucket.firstSeconds, nowSeconds);
    const startSeconds = startOf(unit, bucket.firstSeconds);
    const name = startSeconds * 8 + unit;
    const other = merged.get(name);
    merged.set(name, { ...(other ? mergeSightings(bucket, other) : bucket), unit, startSeconds });
  }
  return [...merged.values()].sort(
    (left, right) =>
      left.firstSeconds - right.firstSeconds ||
      left.lastSeconds - right.lastSeconds ||
      left.unit - right.unit,
  );
}

export function mergeSightings(left: Sighting, right: Sighting): Sighting {
  return {
    firstSeconds: Math.min(left.firstSeconds, right.firstSeconds),
    lastSeconds: Math.max(left.lastSeconds, right.lastSeconds),
    count: sumOf(left.count, right.count),
  };
}

/** Counts stop where numbers stop being exact; so the order of adding still does not matter. */
function sumOf(left: number, right: number): number {
  return Math.min(left + right, Number.MAX_SAFE_INTEGER);
}

export function writeBucket(
  into: Uint8Array,
  at: number,
  unit: number,
  first: number,
  last: number,
  count: number,
): number {
  into[at] = unit;
  into[at + 1] = first & 0xff;
  into[at + 2] = (first >>> 8) & 0xff;
  into[at + 3] = (first >>> 16) & 0xff;
  into[at + 4] = first >>> 24;
  return writeVarint(into, writeVarint(into, at + 5, last - first), count);
}

export function writeBuckets(into: Uint8Array, at: number, buckets: readonly Bucket[]): number {
  let end = at;
  for (let index = 0; index < buckets.length; index += 1) {
    const { unit, firstSeconds, lastSeconds, count } = buckets[index] as Bucket;
    const start = end;
    end = writeBucket(into, end, unit, firstSeconds, lastSeconds, count);
    if (index < buckets.length - 1) into[start] = (into[start] as number) | moreFlag;
  }
  return end;
}

function firstAt(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at + 1] as number) |
      ((bytes[at + 2] as number) << 8) |
      ((bytes[at + 3] as number) << 16) |
      ((bytes[at + 4] as number) << 24)) >>>
    0
  );
}

/** Whether the list at this place is a single bucket; most are, and need no list. */
export function isSingle(bytes: Uint8Array, at: number): boolean {
  return ((bytes[at] as number) & moreFlag) === 0;
}

export function readBuckets(bytes: Uint8Array, at: number, into: Bucket[]): void {
  for (let place = at; ; ) {
    const flags = bytes[place] as number;
    const unit = flags & 0x7f;
    const firstSeconds = firstAt(bytes, place);
    const lastSeconds = firstSeconds + readVarint(bytes, place + 5);
    const countAt = varintEnd(bytes, place + 5);
    const count = readVarint(bytes, countAt);
    into.push({
      unit,
      startSeconds: startOf(unit, firstSeconds),
      firstSeconds,
      lastSeconds,
      count,
    });
    if ((flags & moreFlag) === 0) return;
    place = varintEnd(bytes, countAt);
  }
}

/** Running totals over lists of buckets, without making objects of them. */
export class SightingSum {
  firstSeconds = 0;
  lastSeconds = 0;
  count = 0;

  clear(): void {
    this.count = 0;
  }

  addList(bytes: Uint8Array, at: number): void {
    for (let place = at; ; ) {
      const first = firstAt(bytes, place);
      const last = first + readVarint(bytes, place + 5);
      const countAt = varintEnd(bytes, place + 5);
      const more = readVarint(bytes, countAt);
      this.add(first, last, more);
      if (((bytes[place] as number) & moreFlag) === 0) return;
      place = varintEnd(bytes, countAt);
    }
  }

  add(first: number, last: number, count: number): void {
    if (this.count === 0) {
      this.firstSeconds = first;
      this.lastSeconds = last;
    } else {
      if (first < this.firstSeconds) this.firstSeconds = first;
      if (last > this.lastSeconds) this.lastSeconds = last;
    }
    this.count = sumOf(this.count, count);
  }
}

/** Months since January of the year 0, by counting days in cycles of 400 years that begin in March. */
function monthOf(seconds: number): number {
  const days = Math.floor(seconds / daySeconds) + 719_468;
  const cycle = Math.floor(days / 146_097);
  const day = days - cycle * 146_097;
  const year = Math.floor(
    (day - Math.floor(day / 1460) + Math.floor(day / 36_524) - Math.floor(day / 146_096)) / 365,
  );
  const dayOfYear = day - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  return (cycle * 400 + year) * 12 + Math.floor((5 * dayOfYear + 2) / 153) + 2;
}

/** Days from 1970-01-01 to the first of a month. */
function daysBefore(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12, 1) / (daySeconds * 1000);
}
