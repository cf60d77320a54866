/** Scans a range of a feed and yields the lines of records that pass the filter, in slices. */
import { TimeSlice } from '../../concurrency/time-slice.ts';
import { scanLines } from '../../store/stream/scan-lines.ts';
import type { Offset, OpenRange } from '../../store/stream-store.ts';
import { linesOf, recordOf, timestampOf } from './feed-lines.ts';
import type { ReadRange } from './read-range.ts';
import type { RecordFilter } from './record-filter.ts';

export interface RecordScan {
  readonly range: OpenRange;
  readonly readRange: ReadRange;
  readonly filter: RecordFilter | undefined;
  readonly signal: AbortSignal;
  /** The scan ends after this many records. */
  readonly recordsMax?: number | undefined;
}

export interface ScanEnd {
  /** Everything before this offset was scanned. */
  readonly end: Offset;
  /** Whether it ended because of `recordsMax`. */
  readonly full: boolean;
}

const linesPerCheck = 32;

/** A slice is valid until the next one is requested. */
export async function* scanRecords(scan: RecordScan): AsyncGenerator<Uint8Array, ScanEnd, undefined> {
  const { range, readRange, filter, signal, recordsMax = Number.POSITIVE_INFINITY } = scan;
  const isUnfiltered = filter === undefined && recordsMax === Number.POSITIVE_INFINITY;
  const passes = lineFilter(readRange, filter);
  const timeSlice = new TimeSlice();
  let left = recordsMax;
  for await (const { bytes, end } of scanLines(range, { from: readRange.from, to: readRange.to })) {
    signal.throwIfAborted();
    const start = end - bytes.length;
    if (isUnfiltered && start >= readRange.checkedTo && end <= readRange.checkedFrom) {
      yield bytes;
      continue;
    }
    const picked = new PickedLines(bytes);
    let checked = 0;
    let offset = start;
    for (const line of linesOf(bytes)) {
      if (passes(line, offset)) {
        picked.add(line);
        left -= 1;
      }
      offset += line.length;
      if (left === 0) break;
      checked += 1;
      if (checked % linesPerCheck === 0) await timeSlice.yieldIfOver();
    }
    if (picked.length > 0) yield picked.bytes();
    if (left === 0) return { end: offset, full: true };
    await timeSlice.yieldIfOver();
  }
  return { end: readRange.to, full: false };
}

/** Whether a line at an offset belongs to the time range and passes the filter. */
export function lineFilter(
  { checkedTo, oldest, checkedFrom, newest }: ReadRange,
  filter: RecordFilter | undefined,
): (line: Buffer, offset: Offset) => boolean {
  return (line, offset) => {
    if (offset < checkedTo && timestampOf(line) < oldest) return false;
    if (offset >= checkedFrom && timestampOf(line) > newest) return false;
    return filter === undefined || filter(recordOf(line));
  };
}

/** Lines picked from a slice; as long as they are contiguous they are not copied. */
class PickedLines {
  readonly #slice: Uint8Array;
  #start = 0;
  #memory: Buffer | undefined;
  length = 0;

  constructor(slice: Uint8Array) {
    this.#slice = slice;
  }

  add(line: Buffer): void {
    const at = line.byteOffset - this.#slice.byteOffset;
    if (this.length === 0) this.#start = at;
    else if (!this.#memory && at !== this.#start + this.length) {
      this.#memory = Buffer.allocUnsafe(this.#slice.length);
      this.#memory.set(this.#slice.subarray(this.#start, this.#start + this.length));
    }
    this.#memory?.set(line, this.length);
    this.length += line.length;
  }

  bytes(): Uint8Array {
    return (
      this.#memory?.subarray(0, this.length) ?? this.#slice.subarray(this.#start, this.#start + this.length)
    );
  }
}
