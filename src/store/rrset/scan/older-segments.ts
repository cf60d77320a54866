/**
 * What was known before a batch: lookups in all segments with a lower sequence. Keys mostly come in ascending order, so
 * each kind of lookup keeps its own cursors, for which the next key is close ahead. Lookups that may take long are
 * generators, which yield at the end of a time slice; the live segments may be others when they resume.
 */
import type { TimeSlice } from '../../../concurrency/time-slice.ts';
import type { OpenSegment } from '../open-segment.ts';
import { compareBytes, copyBytes, startsWith } from '../segment/byte-order.ts';
import { isSensorKey } from '../segment/keys.ts';
import { TableCursor, type TableReader } from '../segment/table-reader.ts';
import { SightingSum } from '../segment/time-buckets.ts';

/** Rows of a domain that are read one by one before leaves without a recent sighting are skipped. */
const rowsBeforeSkipping = 256;

/** Yields at the end of each time slice. */
export type Resumable<Result> = Generator<undefined, Result, undefined>;

export interface PriorDomain {
  readonly known: boolean;
  readonly sensed: boolean;
  /** Whether a sensor saw it after the given second. */
  readonly recent: boolean;
}

/** A cursor for lookups of one kind, which is fast when their keys ascend. */
class AscendingCursor {
  readonly cursor: TableCursor;
  #target = new Uint8Array(512);
  /** -1: the cursor has moved since the last seek. */
  #targetLength = -1;

  constructor(table: TableReader) {
    this.cursor = new TableCursor(table);
  }

  /** Moves to the first entry at or after the target. */
  seek(target: Uint8Array, length: number): boolean {
    const { cursor } = this;
    const ascends =
      this.#targetLength >= 0 && compareBytes(target, length, this.#target, this.#targetLength) >= 0;
    if (this.#target.length < length) this.#target = new Uint8Array(length * 2);
    copyBytes(target, 0, length, this.#target, 0);
    this.#targetLength = length;
    return ascends ? cursor.seekRising(target, length) : cursor.seekKey(target, length);
  }

  step(): boolean {
    this.#targetLength = -1;
    return this.cursor.step();
  }
}

class OlderSegment {
  readonly segment: OpenSegment;
  readonly rrsets: AscendingCursor;
  readonly owners: AscendingCursor;
  readonly domains: AscendingCursor;
  readonly hosts: AscendingCursor;
  readonly records: AscendingCursor;
  /** A sighting after this is recent. */
  afterSeconds = 0;
  readonly #recent: TableCursor;

  constructor(segment: OpenSegment) {
    this.segment = segment;
    this.rrsets = new AscendingCursor(segment.forward);
    this.owners = new AscendingCursor(segment.forward);
    this.domains = new AscendingCursor(segment.forward);
    this.hosts = new AscendingCursor(segment.inverse);
    this.records = new AscendingCursor(segment.inverse);
    this.#recent = new TableCursor(segment.forward, {
      skips: (_minFirst, maxLast) => maxLast <= this.afterSeconds,
    });
  }

  /** Moves to the first entry at or after the key of a cursor, skipping leaves without a recent sighting. */
  recentFrom({ key, keyLength }: TableCursor): TableCursor {
    this.#recent.seekKey(key, keyLength);
    return this.#recent;
  }
}

export class OlderSegments {
  readonly #timeSlice: TimeSlice;
  readonly #sum = new SightingSum();
  #bySize: readonly OlderSegment[] = [];

  constructor(timeSlice: TimeSlice) {
    this.#timeSlice = timeSlice;
  }

  get isEmpty(): boolean {
    return this.#bySize.length === 0;
  }

  /** Largest segment first, since most keys are in it. */
  rebind(segments: readonly OpenSegment[]): void {
    const before = new Map(this.#bySize.map((older) => [older.segment, older]));
    if (before.size === segments.length && segments.every((segment) => before.has(segment))) return;
    this.#bySize = segments
      .toSorted((left, right) => right.summary.rrsets - left.summary.rrsets)
      .map((segment) => before.get(segment) ?? new OlderSegment(segment));
  }

  /** When an RRset was last seen, according to the first segment that has it; undefined where none has. */
  findLast(key: Uint8Array): number | undefined {
    for (const { rrsets } of this.#bySize) {
      if (rrsets.seek(key, key.length) && isOnKey(rrsets.cursor, key)) return this.#lastOf(rrsets.cursor);
    }
    return undefined;
  }

  hasRecord(inverseKey: Uint8Array): boolean {
    return this.#bySize.some(
      ({ records }) => records.seek(inverseKey, inverseKey.length) && isOnKey(records.cursor, inverseKey),
    );
  }

  /** Whether a sensor has seen an RRset (`owners`) or a record with a name in its rdata (`hosts`) whose key has this prefix. */
  *hasSensed(lookup: 'owners' | 'hosts', prefix: Uint8Array): Resumable<boolean> {
    for (;;) {
      const segments = this.#bySize;
      const found = yield* this.#searchSensed(segments, lookup, prefix);
      if (found || segments === this.#bySize) return found;
    }
  }

  *#searchSensed(
    segments: readonly OlderSegment[],
    name: 'owners' | 'hosts',
    prefix: Uint8Array,
  ): Resumable<boolean> {
    for (const older of segments) {
      const lookup = older[name];
      const { cursor } = lookup;
      let valid = lookup.seek(prefix, prefix.length);
      while (valid && startsWith(cursor.key, cursor.keyLength, prefix)) {
        if (isSensorKey(cursor.key, cursor.keyLength)) return true;
        if (this.#timeSlice.isOver()) {
          yield;
          if (segments !== this.#bySize) return false;
        }
        valid = lookup.step();
      }
    }
    return false;
  }

  /** What is known at or below a base domain, whose keys have the prefix. Without a time, only whether anything is. */
  *findDomain(prefix: Uint8Array, afterSeconds: number | undefined): Resumable<PriorDomain> {
    for (;;) {
      const segments = this.#bySize;
      const found = yield* this.#searchDomain(segments, prefix, afterSeconds);
      if (found.recent || segments === this.#bySize) return found;
    }
  }

  *#searchDomain(
    segments: readonly OlderSegment[],
    prefix: Uint8Array,
    afterSeconds: number | undefined,
  ): Resumable<PriorDomain> {
    let known = false;
    let sensed = false;
    for (const older of segments) {
      const { domains: lookup, segment } = older;
      if (sensed && segment.forward.maxLast <= (afterSeconds ?? 0)) continue;
      const { cursor } = lookup;
      let valid = lookup.seek(prefix, prefix.length);
      for (let rows = 1; valid && startsWith(cursor.key, cursor.keyLength, prefix); rows += 1) {
        known = true;
        if (afterSeconds === undefined) return { known, sensed, recent: false };
        if (isSensorKey(cursor.key, cursor.keyLength)) {
          sensed = true;
          if (this.#lastOf(cursor) > afterSeconds) return { known, sensed, recent: true };
        }
        if (sensed && rows >= rowsBeforeSkipping) {
          if (yield* this.#searchRecent(segments, older, prefix, afterSeconds)) {
            return { known, sensed, recent: true };
          }
          break;
        }
        if (this.#timeSlice.isOver()) yield;
        if (segments !== this.#bySize) return { known, sensed, recent: false };
        valid = lookup.step();
      }
    }
    return { known, sensed, recent: false };
  }

  /** Whether a sensor saw something recently, in the rows from the position of the `domains` cursor on. */
  *#searchRecent(
    segments: readonly OlderSegment[],
    older: OlderSegment,
    prefix: Uint8Array,
    afterSeconds: number,
  ): Resumable<boolean> {
    older.afterSeconds = afterSeconds;
    const cursor = older.recentFrom(older.domains.cursor);
    while (cursor.valid && startsWith(cursor.key, cursor.keyLength, prefix)) {
      if (isSensorKey(cursor.key, cursor.keyLength) && this.#lastOf(cursor) > afterSeconds) return true;
      if (this.#timeSlice.isOverNow()) yield;
      if (segments !== this.#bySize) return false;
      cursor.step();
    }
    return false;
  }

  #lastOf({ bytes, valueStart }: TableCursor): number {
    this.#sum.clear();
    this.#sum.addList(bytes, valueStart);
    return this.#sum.lastSeconds;
  }
}

function isOnKey(cursor: TableCursor, key: Uint8Array): boolean {
  return compareBytes(cursor.key, cursor.keyLength, key, key.length) === 0;
}
