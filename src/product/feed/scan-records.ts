/** The records of a window that a client wants, as the lines they are, a slice at a time. */
import { scanLines } from '../../store/line-slices.ts';
import type { Offset, OpenRange } from '../../store/stream-store.ts';
import { linesOf, recordOf, timestampOf } from './lines.ts';
import { Pace } from './pace.ts';
import type { Keeps } from './record-filter.ts';
import type { Window } from './window.ts';

export interface RecordScan {
  readonly range: OpenRange;
  readonly window: Window;
  readonly keeps: Keeps | undefined;
  readonly signal: AbortSignal;
  /** The scan ends behind this many records. */
  readonly recordsMax?: number | undefined;
}

export interface ScanEnd {
  /** Everything before this place was looked at. */
  readonly end: Offset;
  /** Whether it ended because it had all the records it may have. */
  readonly full: boolean;
}

const linesBetweenLooks = 32;

/** Slices are good until the next one is asked for. */
export async function* scanRecords(scan: RecordScan): AsyncGenerator<Uint8Array, ScanEnd, undefined> {
  const { range, window, keeps, signal, recordsMax = Number.POSITIVE_INFINITY } = scan;
  const plain = keeps === undefined && recordsMax === Number.POSITIVE_INFINITY;
  const judge = judgeOf(window, keeps);
  const pace = new Pace();
  let left = recordsMax;
  for await (const { bytes, end } of scanLines(range, { from: window.from, to: window.to })) {
    signal.throwIfAborted();
    const start = end - bytes.length;
    if (plain && start >= window.checkedTo && end <= window.checkedFrom) {
      yield bytes;
      continue;
    }
    const picked = new Picked(bytes);
    let looked = 0;
    let place = start;
    for (const line of linesOf(bytes)) {
      if (judge(line, place)) {
        picked.add(line);
        left -= 1;
      }
      place += line.length;
      if (left === 0) break;
      looked += 1;
      if (looked % linesBetweenLooks === 0) await pace.over();
    }
    if (picked.length > 0) yield picked.bytes();
    if (left === 0) return { end: place, full: true };
    await pace.over();
  }
  return { end: window.to, full: false };
}

function judgeOf(window: Window, keeps: Keeps | undefined): (line: Buffer, place: Offset) => boolean {
  const { checkedTo, oldest, checkedFrom, newest } = window;
  return (line, place) => {
    if (place < checkedTo && timestampOf(line) < oldest) return false;
    if (place >= checkedFrom && timestampOf(line) > newest) return false;
    return keeps === undefined || keeps(recordOf(line));
  };
}

/** Lines out of a slice; as long as they follow one another they are not copied. */
class Picked {
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
