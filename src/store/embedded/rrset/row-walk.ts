/** Walks over the rows of a selection, a slice at a time, in whatever runs there are when a slice begins. */
import { namesIn } from '../../../model/dns/rdata-wire.ts';
import { holdsSeveralNames } from '../../../model/dns/rr-type.ts';
import type { Fences, Position, Row, RowFilter, Scan, Selection } from '../../rrset-store.ts';
import { compareBytes, startsWith } from './byte-order.ts';
import { ForwardRow } from './forward-row.ts';
import { nameEnd, readInverseKey, readTwo, reversed, typeOfInverseKey } from './keys.ts';
import { isInSpan } from './name-span.ts';
import { origins } from './observation-batch.ts';
import type { OpenRun } from './open-runs.ts';
import { PartMerge } from './part-merge.ts';
import type { LeafChoice } from './part-reader.ts';
import { beyondChild, isPast, type KeyRange, rangesOf } from './ranges.ts';
import { type Bucket, fade, readBuckets, SightingSum } from './time-buckets.ts';

/** Looking at the time costs something too. */
export const keysBetweenLooks = 64;
const bucketMarkBytes = 5;

/** Something that can be walked over in slices. */
export interface Walk<Item> {
  /** Takes up the walk in other runs, after the last key it looked at. */
  rebind(runs: readonly OpenRun[]): void;
  /** Adds rows until there is no time left, or enough; true when there are no more. */
  gather(items: Item[], itemsMax: number, untilMs: number): boolean;
  /** Nothing more is asked of this walk. */
  release(): void;
}

/** Rows still to be passed over, shared by the walks of one scan. */
export interface Skip {
  left: number;
}

export class RowWalk implements Walk<Row> {
  readonly #scan: Scan;
  readonly #asked: Selection;
  readonly #ranges: readonly KeyRange[];
  readonly #bailiwick: Uint8Array | undefined;
  readonly #skip: Skip;
  readonly #sum = new SightingSum();
  readonly #buckets: Bucket[] = [];
  #runs: readonly OpenRun[] = [];
  #range = 0;
  #merge: PartMerge | undefined;
  #standing = false;
  /** The last key of the slice before, and where a scan begins after a bucket, which one. */
  #last: { readonly key: Uint8Array; readonly mark?: Uint8Array } | undefined;

  /** `asked` is what the whole scan selects, where this walk is for a part of it. */
  constructor(scan: Scan, skip: Skip, asked: Selection = scan.selection) {
    this.#scan = scan;
    this.#asked = asked;
    this.#ranges = rangesOf(scan.selection);
    this.#bailiwick = scan.bailiwick && reversed(scan.bailiwick);
    this.#skip = skip;
    if (scan.after) this.#last = scan.merged ? { key: scan.after } : splitMark(scan.after);
    if (this.#last) {
      const { key } = this.#last;
      while (
        this.#range < this.#ranges.length &&
        isPast(this.#ranges[this.#range] as KeyRange, key, key.length)
      ) {
        this.#range += 1;
      }
    }
  }

  rebind(runs: readonly OpenRun[]): void {
    this.#runs = runs;
    const range = this.#ranges[this.#range];
    if (range) this.#enter(range);
  }

  #enter(range: KeyRange): void {
    const choice = leafChoice(this.#scan.filter.fences);
    const parts = this.#runs.map((run) => run[range.part]);
    const merge = choice ? new PartMerge(parts, () => choice) : new PartMerge(parts);
    this.#merge = merge;
    const last = this.#last;
    const resumes = last && compareBytes(last.key, last.key.length, range.from, range.from.length) > 0;
    this.#standing = merge.seek(resumes ? last.key : range.from);
    if (resumes && this.#standing && !last.mark && isKey(merge, last.key)) this.#standing = merge.step();
  }

  release(): void {
    this.#merge?.release();
    this.#merge = undefined;
  }

  gather(rows: Row[], rowsMax: number, untilMs: number): boolean {
    for (let looked = 1; ; looked += 1) {
      const range = this.#ranges[this.#range];
      const merge = this.#merge;
      if (!range || !merge) return true;
      if (!this.#standing || isPast(range, merge.key, merge.keyLength)) {
        this.#range += 1;
        const next = this.#ranges[this.#range];
        if (!next) return true;
        merge.release();
        this.#enter(next);
        continue;
      }
      const beyond = beyondChild(range, merge.key);
      if (!beyond) this.#deal(range, merge, rows);
      const enough =
        rows.length >= rowsMax || (looked % keysBetweenLooks === 0 && performance.now() >= untilMs);
      if (enough) this.#last = { key: beyond ?? merge.key.slice(0, merge.keyLength) };
      this.#standing = beyond ? merge.seek(beyond) : merge.step();
      if (enough) return false;
    }
  }

  #deal(range: KeyRange, merge: PartMerge, rows: Row[]): void {
    const { filter, merged, nowSeconds } = this.#scan;
    const { key, keyLength } = merge;
    const forward = range.part === 'forward';
    const typeAt = forward ? nameEnd(key, 0) : 0;
    const type = forward ? readTwo(key, typeAt) : typeOfInverseKey(key, keyLength);
    if (!filter.keepsType(type)) return;
    if (this.#bailiwick && !hasAt(key, typeAt + 2, this.#bailiwick)) return;
    if (holdsSeveralNames(type) && isRepeat(this.#asked, key, keyLength)) return;
    if (merged) {
      const sum = this.#sum;
      sum.clear();
      for (let index = 0; index < merge.holderCount; index += 1) {
        const holder = merge.holders[index] as { bytes: Uint8Array; valueStart: number };
        sum.addList(holder.bytes, holder.valueStart);
      }
      if (!passes(filter, sum.firstSeconds, sum.lastSeconds, sum.count) || this.#passOver()) return;
      const { firstSeconds, lastSeconds, count } = sum;
      if (forward) rows.push(new ForwardRow(key, keyLength, firstSeconds, lastSeconds, count, undefined));
      else {
        const position = key.slice(0, keyLength);
        rows.push(inverseRow(position, position, firstSeconds, lastSeconds, count));
      }
      return;
    }
    this.#buckets.length = 0;
    for (let index = 0; index < merge.holderCount; index += 1) {
      const holder = merge.holders[index] as { bytes: Uint8Array; valueStart: number };
      readBuckets(holder.bytes, holder.valueStart, this.#buckets);
    }
    const mark = this.#last?.mark && isKey(merge, this.#last.key) ? this.#last.mark : undefined;
    for (const bucket of fade(this.#buckets, nowSeconds)) {
      if (mark && !isAfterMark(bucket, mark)) continue;
      if (!passes(filter, bucket.firstSeconds, bucket.lastSeconds, bucket.count) || this.#passOver())
        continue;
      const position = withMark(key, keyLength, bucket);
      const { firstSeconds, lastSeconds, count } = bucket;
      rows.push(
        forward
          ? new ForwardRow(key, keyLength, firstSeconds, lastSeconds, count, position)
          : inverseRow(key.slice(0, keyLength), position, firstSeconds, lastSeconds, count),
      );
    }
  }

  #passOver(): boolean {
    if (this.#skip.left === 0) return false;
    this.#skip.left -= 1;
    return true;
  }
}

/** Data that holds several of the names asked for is found under each of them, and given under the first alone. */
function isRepeat(asked: Selection, key: Uint8Array, keyLength: number): boolean {
  if (asked.by !== 'rdata-name') return false;
  const { type, rdata } = readInverseKey(key, keyLength);
  const first = namesIn(type, rdata).find((name) => isInSpan(name, asked.name, asked.span));
  return first !== undefined && !hasAt(key, 1, reversed(first));
}

function inverseRow(
  key: Uint8Array,
  position: Position,
  firstSeconds: number,
  lastSeconds: number,
  count: number,
): Row {
  const { owner, type, rdata, origin } = readInverseKey(key, key.length);
  return {
    origin: origins[origin as 0 | 1],
    owner,
    type,
    bailiwick: undefined,
    rdata: [rdata],
    firstSeconds,
    lastSeconds,
    count,
    position,
  };
}

export function passes(
  { fences, countMin, countMax }: RowFilter,
  first: number,
  last: number,
  count: number,
) {
  const { firstBefore, firstAfter, lastBefore, lastAfter } = fences;
  if (firstBefore !== undefined && first > firstBefore) return false;
  if (firstAfter !== undefined && first < firstAfter) return false;
  if (lastBefore !== undefined && last > lastBefore) return false;
  if (lastAfter !== undefined && last < lastAfter) return false;
  if (countMin !== undefined && count < countMin) return false;
  return countMax === undefined || count <= countMax;
}

/**
 * A row that passes has, in some run, an entry that was last seen late enough, and one that was first seen early enough.
 * They may be in different leaves, so only one of the two can choose leaves.
 */
function leafChoice({ lastAfter, firstBefore }: Fences): LeafChoice | undefined {
  if (lastAfter !== undefined) return { skips: (_minFirst, maxLast) => maxLast < lastAfter };
  if (firstBefore !== undefined) return { skips: (minFirst) => minFirst > firstBefore };
  return undefined;
}

function isKey(merge: PartMerge, key: Uint8Array): boolean {
  return merge.keyLength === key.length && startsWith(merge.key, merge.keyLength, key);
}

function hasAt(key: Uint8Array, at: number, bytes: Uint8Array): boolean {
  for (let index = 0; index < bytes.length; index += 1) if (key[at + index] !== bytes[index]) return false;
  return true;
}

/** The position of a bucket: the key, then the bucket's first second and its unit. */
function withMark(key: Uint8Array, keyLength: number, { firstSeconds, unit }: Bucket): Position {
  const position = new Uint8Array(keyLength + bucketMarkBytes);
  position.set(key.subarray(0, keyLength));
  const view = new DataView(position.buffer);
  view.setUint32(keyLength, firstSeconds);
  view.setUint8(keyLength + 4, unit);
  return position;
}

function splitMark(position: Position): { key: Uint8Array; mark: Uint8Array } {
  const keyLength = Math.max(0, position.length - bucketMarkBytes);
  return { key: position.subarray(0, keyLength), mark: position.subarray(keyLength) };
}

function isAfterMark({ firstSeconds, unit }: Bucket, mark: Uint8Array): boolean {
  const view = new DataView(mark.buffer, mark.byteOffset, mark.byteLength);
  const markSeconds = view.getUint32(0);
  return firstSeconds > markSeconds || (firstSeconds === markSeconds && unit > view.getUint8(4));
}
