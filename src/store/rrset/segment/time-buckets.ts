/**
 * When an RRset was seen: a time series that is downsampled with age. A bucket is a calendar unit (UTC) with the sightings in
 * it; a sighting that fits no year is in the bucket of the era. Buckets of the same unit and start merge. The unit a
 * bucket is downsampled to depends only on its own end and on the current time, so downsampling and merging commute, and
 * compaction may do either at any time.
 *
 * On disk, for each bucket of a list: the unit, with 0x80 set where another bucket follows (u8), the first second (u32,
 * little-endian), last − first and count (varints).
 */

import type { Sighting } from '../../../model/dns/rrset.ts';
import { daySeconds, hourSeconds, minuteSeconds } from '../../../model/durations.ts';
import { readVarint, varintEnd, writeVarint } from '../../varint.ts';

export const units = ['minute', 'hour', 'day', 'month', 'year', 'era'] as const;
const era = 5;
const moreFlag = 0x80;
const secondsMax = 0xffff_ffff;

/** How long after its end a bucket of each unit keeps that resolution. */
const retentionSeconds = [2 * hourSeconds, 2 * daySeconds, 60 * daySeconds, 730 * daySeconds] as const;

export interface Bucket extends Sighting {
  /** Index in `units`. */
  readonly unit: number;
  readonly startSeconds: number;
}

/** The largest encoding of one bucket. */
export const bucketBytesMax = 1 + 4 + 5 + 8;

/** The smallest unit that contains the whole sighting. */
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

/** The resolution that a bucket has by now. */
function downsampledUnit(unit: number, seconds: number, nowSeconds: number): number {
  let coarser = unit;
  while (
    coarser < retentionSeconds.length &&
    nowSeconds - endOf(coarser, startOf(coarser, seconds)) > (retentionSeconds[coarser] as number)
  ) {
    coarser += 1;
  }
  return coarser;
}

/** Buckets at the resolution they have by now, merged and in order of time. */
export function downsample(buckets: readonly Bucket[], nowSeconds: number): Bucket[] {
  const merged = new Map<number, Bucket>();
  for (const bucket of buckets) {
    const unit = downsampledUnit(bucket.unit, bucket.firstSeconds, nowSeconds);
    const startSeconds = startOf(unit, bucket.firstSeconds);
    const key = startSeconds * 8 + unit;
    const other = merged.get(key);
    merged.set(key, { ...(other ? mergeSightings(bucket, other) : bucket), unit, startSeconds });
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
    count: addCounts(left.count, right.count),
  };
}

/** Saturates at the largest safe integer, which keeps addition associative. */
function addCounts(left: number, right: number): number {
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

function malformed(): Error {
  return new Error('a list of sightings in an RRset segment is malformed');
}

/** Whether the list at this offset is a single bucket; most are. */
export function isSingleBucket(bytes: Uint8Array, at: number): boolean {
  return ((bytes[at] as number) & moreFlag) === 0;
}

export function readBuckets(bytes: Uint8Array, at: number, into: Bucket[]): void {
  for (let offset = at; ; ) {
    const flags = bytes[offset] as number;
    const unit = flags & 0x7f;
    if (!(unit <= era)) throw malformed();
    const firstSeconds = firstAt(bytes, offset);
    const lastSeconds = firstSeconds + readVarint(bytes, offset + 5);
    const countAt = varintEnd(bytes, offset + 5);
    const count = readVarint(bytes, countAt);
    into.push({
      unit,
      startSeconds: startOf(unit, firstSeconds),
      firstSeconds,
      lastSeconds,
      count,
    });
    offset = varintEnd(bytes, countAt);
    if (!(lastSeconds <= secondsMax && offset <= bytes.length)) throw malformed();
    if ((flags & moreFlag) === 0) return;
  }
}

/** Running totals over encoded lists of buckets, without decoding them into objects. */
export class SightingSum {
  firstSeconds = 0;
  lastSeconds = 0;
  count = 0;

  clear(): void {
    this.count = 0;
  }

  addList(bytes: Uint8Array, at: number): void {
    for (let offset = at; ; ) {
      const first = firstAt(bytes, offset);
      const last = first + readVarint(bytes, offset + 5);
      const countAt = varintEnd(bytes, offset + 5);
      const more = readVarint(bytes, countAt);
      // Also fails on NaN, which is what a varint past the end of the bytes is.
      if (!(last <= secondsMax && more >= 0)) throw malformed();
      this.add(first, last, more);
      if (((bytes[offset] as number) & moreFlag) === 0) return;
      offset = varintEnd(bytes, countAt);
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
    this.count = addCounts(this.count, count);
  }
}

/** Days from 1970-01-01 to the first of a month. */
function daysBefore(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12, 1) / (daySeconds * 1000);
}

/** Of each day that a sighting can have, 1970 to 2106. */
let monthOfDay: Uint16Array | undefined;

/** Months since January of the year 0. */
function monthOf(seconds: number): number {
  monthOfDay ??= monthsOfDays(Math.floor(secondsMax / daySeconds) + 1);
  return monthOfDay[Math.floor(seconds / daySeconds)] as number;
}

function monthsOfDays(days: number): Uint16Array {
  const months = new Uint16Array(days);
  for (let month = 1970 * 12; daysBefore(month) < days; month += 1)
    months.fill(month, daysBefore(month), daysBefore(month + 1));
  return months;
}
