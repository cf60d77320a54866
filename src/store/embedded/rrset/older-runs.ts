/**
 * What was known before a batch, asked key by key. Keys are mostly asked for in rising order, which cursors that stay where
 * they are make cheap. Questions that may take long are generators: they yield when their time is over, and may find other
 * runs when they go on.
 */
import { compareBytes, copyBytes, startsWith } from './byte-order.ts';
import { isOfSensor } from './keys.ts';
import type { OpenRun } from './open-runs.ts';
import type { Pace } from './pace.ts';
import { PartCursor, type PartReader } from './part-reader.ts';
import { SightingSum } from './time-buckets.ts';

/** Rows of a domain that are looked at one by one before leaves without a late sighting are passed over. */
const rowsOneByOneMax = 256;

export type Paused<Result> = Generator<undefined, Result, undefined>;

export interface DomainBefore {
  readonly known: boolean;
  readonly sensed: boolean;
  /** Sensed after the second that was asked for. */
  readonly late: boolean;
}

/** A cursor for questions of one kind. */
class Lane {
  readonly cursor: PartCursor;
  #target = new Uint8Array(512);
  /** -1: the cursor does not stand where the last search left it. */
  #targetLength = -1;

  constructor(part: PartReader) {
    this.cursor = new PartCursor(part);
  }

  /** Stands on the first entry at or after the target. */
  seek(target: Uint8Array, length: number): boolean {
    const { cursor } = this;
    const rises =
      this.#targetLength >= 0 && compareBytes(target, length, this.#target, this.#targetLength) >= 0;
    if (this.#target.length < length) this.#target = new Uint8Array(length * 2);
    copyBytes(target, 0, length, this.#target, 0);
    this.#targetLength = length;
    return rises ? cursor.seekRising(target, length) : cursor.seekKey(target, length);
  }

  step(): boolean {
    this.#targetLength = -1;
    return this.cursor.step();
  }
}

class OlderRun {
  readonly run: OpenRun;
  readonly rrsets: Lane;
  readonly owners: Lane;
  readonly domains: Lane;
  readonly hosts: Lane;
  readonly records: Lane;
  /** A sighting later than this is late. */
  afterSeconds = 0;
  readonly #late: PartCursor;

  constructor(run: OpenRun) {
    this.run = run;
    this.rrsets = new Lane(run.forward);
    this.owners = new Lane(run.forward);
    this.domains = new Lane(run.forward);
    this.hosts = new Lane(run.inverse);
    this.records = new Lane(run.inverse);
    this.#late = new PartCursor(run.forward, {
      skips: (_minFirst, maxLast) => maxLast <= this.afterSeconds,
    });
  }

  /** Stands on the first entry at or after a key, past leaves in which nothing is late. */
  lateFrom({ key, keyLength }: PartCursor): PartCursor {
    this.#late.seekKey(key, keyLength);
    return this.#late;
  }
}

export class OlderRuns {
  readonly #pace: Pace;
  readonly #sum = new SightingSum();
  #bySize: readonly OlderRun[] = [];

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  get isEmpty(): boolean {
    return this.#bySize.length === 0;
  }

  /** What is looked for is mostly in the largest run, so that comes first. */
  rebind(runs: readonly OpenRun[]): void {
    const before = new Map(this.#bySize.map((older) => [older.run, older]));
    if (before.size === runs.length && runs.every((run) => before.has(run))) return;
    this.#bySize = runs
      .toSorted((left, right) => right.summary.rrsets - left.summary.rrsets)
      .map((run) => before.get(run) ?? new OlderRun(run));
  }

  /** When an RRset was seen, in one of the runs that know it; undefined where none does. */
  findLast(key: Uint8Array): number | undefined {
    for (const { rrsets } of this.#bySize) {
      if (rrsets.seek(key, key.length) && isAt(rrsets.cursor, key)) return this.#lastOf(rrsets.cursor);
    }
    return undefined;
  }

  hasRecord(inverseKey: Uint8Array): boolean {
    return this.#bySize.some(
      ({ records }) => records.seek(inverseKey, inverseKey.length) && isAt(records.cursor, inverseKey),
    );
  }

  /** Whether a sensor has seen an RRset whose key begins so, or a record that is found by a name in it. */
  *hasSensed(lane: 'owners' | 'hosts', prefix: Uint8Array): Paused<boolean> {
    for (;;) {
      const runs = this.#bySize;
      const found = yield* this.#searchSensed(runs, lane, prefix);
      if (found || runs === this.#bySize) return found;
    }
  }

  *#searchSensed(runs: readonly OlderRun[], name: 'owners' | 'hosts', prefix: Uint8Array): Paused<boolean> {
    for (const older of runs) {
      const lane = older[name];
      const { cursor } = lane;
      let standing = lane.seek(prefix, prefix.length);
      while (standing && startsWith(cursor.key, cursor.keyLength, prefix)) {
        if (isOfSensor(cursor.key, cursor.keyLength)) return true;
        if (this.#pace.isOver()) {
          yield;
          if (runs !== this.#bySize) return false;
        }
        standing = lane.step();
      }
    }
    return false;
  }

  /** What is known at or below a base domain, whose rows begin with the prefix. Without a time, only whether anything is. */
  *findDomain(prefix: Uint8Array, afterSeconds: number | undefined): Paused<DomainBefore> {
    for (;;) {
      const runs = this.#bySize;
      const found = yield* this.#searchDomain(runs, prefix, afterSeconds);
      if (found.late || runs === this.#bySize) return found;
    }
  }

  *#searchDomain(
    runs: readonly OlderRun[],
    prefix: Uint8Array,
    afterSeconds: number | undefined,
  ): Paused<DomainBefore> {
    let known = false;
    let sensed = false;
    for (const older of runs) {
      const { domains: lane, run } = older;
      if (sensed && run.forward.maxLast <= (afterSeconds ?? 0)) continue;
      const { cursor } = lane;
      let standing = lane.seek(prefix, prefix.length);
      for (let rows = 1; standing && startsWith(cursor.key, cursor.keyLength, prefix); rows += 1) {
        known = true;
        if (afterSeconds === undefined) return { known, sensed, late: false };
        if (isOfSensor(cursor.key, cursor.keyLength)) {
          sensed = true;
          if (this.#lastOf(cursor) > afterSeconds) return { known, sensed, late: true };
        }
        if (sensed && rows >= rowsOneByOneMax) {
          if (yield* this.#searchLate(runs, older, prefix, afterSeconds)) {
            return { known, sensed, late: true };
          }
          break;
        }
        if (this.#pace.isOver()) yield;
        if (runs !== this.#bySize) return { known, sensed, late: false };
        standing = lane.step();
      }
    }
    return { known, sensed, late: false };
  }

  /** Whether a sensor saw something late, in the rows after the one that the lane of domains stands on. */
  *#searchLate(
    runs: readonly OlderRun[],
    older: OlderRun,
    prefix: Uint8Array,
    afterSeconds: number,
  ): Paused<boolean> {
    older.afterSeconds = afterSeconds;
    const cursor = older.lateFrom(older.domains.cursor);
    while (cursor.valid && startsWith(cursor.key, cursor.keyLength, prefix)) {
      if (isOfSensor(cursor.key, cursor.keyLength) && this.#lastOf(cursor) > afterSeconds) return true;
      if (this.#pace.isOverNow()) yield;
      if (runs !== this.#bySize) return false;
      cursor.step();
    }
    return false;
  }

  #lastOf({ bytes, valueStart }: PartCursor): number {
    this.#sum.clear();
    this.#sum.addList(bytes, valueStart);
    return this.#sum.lastSeconds;
  }
}

function isAt(cursor: PartCursor, key: Uint8Array): boolean {
  return compareBytes(cursor.key, cursor.keyLength, key, key.length) === 0;
}
