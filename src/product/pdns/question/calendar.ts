/**
 * On which days records were seen, from the time buckets that the store keeps: a bucket says when its first and its last sighting were, and how
 * many there were between them. Older buckets span a month or more, so of their other days nothing is known, and nothing is claimed.
 */
import { daySeconds } from '../../../model/durations.ts';
import type { Row } from '../../../store/rrset-store.ts';

export interface CalendarDay {
  /** Days since the epoch, UTC. */
  readonly day: number;
  /** Records that were seen on that day for certain. */
  readonly seen: number;
  /** Sightings that were on that day for certain. */
  readonly count: number;
  /** Records that were seen before and after, and may have been seen on that day. */
  readonly possible: number;
  /** Records that were seen for the first time. */
  readonly first: number;
}

const dayOf = (seconds: number): number => Math.floor(seconds / daySeconds);

/** Takes rows of a scan that is not merged: those of one record come one after another, in order of their first sighting. */
export class Calendar {
  readonly #from: number;
  readonly #seen: Float64Array;
  readonly #count: Float64Array;
  readonly #first: Float64Array;
  /** How many more records are possible on each day than on the day before. */
  readonly #change: Float64Array;
  #record: Row[] = [];

  /** Both days are included. */
  constructor(fromDay: number, toDay: number) {
    const days = Math.max(0, toDay - fromDay + 1);
    this.#from = fromDay;
    this.#seen = new Float64Array(days);
    this.#count = new Float64Array(days);
    this.#first = new Float64Array(days);
    this.#change = new Float64Array(days + 1);
  }

  add(row: Row): void {
    const [before] = this.#record;
    if (before && !isSameRecord(before, row)) this.#endRecord();
    this.#record.push(row);
  }

  /** Days of which something is known. */
  days(): readonly CalendarDay[] {
    this.#endRecord();
    const days: CalendarDay[] = [];
    let possible = 0;
    for (let index = 0; index < this.#seen.length; index += 1) {
      possible += this.#change[index] as number;
      const seen = this.#seen[index] as number;
      if (seen === 0 && possible === 0) continue;
      const [count, first] = [this.#count[index] as number, this.#first[index] as number];
      days.push({ day: this.#from + index, seen, count, possible, first });
    }
    return days;
  }

  #endRecord(): void {
    const [earliest] = this.#record;
    if (!earliest) return;
    this.#increase(this.#first, dayOf(earliest.firstSeconds), 1);
    const seen = new Set<number>();
    let spannedUntil = Number.NEGATIVE_INFINITY;
    for (const { firstSeconds, lastSeconds, count } of this.#record) {
      const [first, last] = [dayOf(firstSeconds), dayOf(lastSeconds)];
      seen.add(first).add(last);
      if (first === last) this.#increase(this.#count, first, count);
      // Buckets of different lengths may overlap; a day is possible once.
      else this.#span(Math.max(first, spannedUntil + 1), last, 1);
      spannedUntil = Math.max(spannedUntil, first === last ? spannedUntil : last);
    }
    for (const day of seen) {
      this.#increase(this.#seen, day, 1);
      // What is certain is no longer only possible.
      if (this.#record.some((row) => isWithin(row, day))) this.#span(day, day, -1);
    }
    this.#record = [];
  }

  #increase(numbers: Float64Array, day: number, by: number): void {
    const index = day - this.#from;
    if (index >= 0 && index < numbers.length) numbers[index] = (numbers[index] as number) + by;
  }

  #span(first: number, last: number, by: number): void {
    const from = Math.max(0, first - this.#from);
    const to = Math.min(this.#seen.length - 1, last - this.#from);
    if (from > to) return;
    this.#change[from] = (this.#change[from] as number) + by;
    this.#change[to + 1] = (this.#change[to + 1] as number) - by;
  }
}

/** Whether a bucket of several days includes the day. */
function isWithin({ firstSeconds, lastSeconds }: Row, day: number): boolean {
  const [first, last] = [dayOf(firstSeconds), dayOf(lastSeconds)];
  return first < last && first <= day && day <= last;
}

function isSameRecord(left: Row, right: Row): boolean {
  return (
    left.type === right.type &&
    left.origin === right.origin &&
    isSameBytes(left.owner, right.owner) &&
    isSameBytes(left.bailiwick, right.bailiwick) &&
    left.rdata.length === right.rdata.length &&
    left.rdata.every((rdata, index) => isSameBytes(rdata, right.rdata[index]))
  );
}

function isSameBytes(left: Uint8Array | undefined, right: Uint8Array | undefined): boolean {
  return left === right || (left !== undefined && right !== undefined && Buffer.compare(left, right) === 0);
}
