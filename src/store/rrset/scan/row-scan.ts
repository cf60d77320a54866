/** Scans the rows of a selection: one or more key ranges of the forward or the inverse table, merged over all segments. */

import { origins } from '../../../model/dns/packed-rrset.ts';
import { namesIn } from '../../../model/dns/rdata-wire.ts';
import { holdsSeveralNames } from '../../../model/dns/rr-type.ts';
import type { Sighting } from '../../../model/dns/rrset.ts';
import { typeMatcher } from '../../../model/dns/type-selection.ts';
import type { Fences, Position, Row, Scan, Selection, SightingFilter } from '../../rrset-store.ts';
import type { OpenSegment } from '../open-segment.ts';
import { compareBytes, startsWith } from '../segment/byte-order.ts';
import {
  ForwardNames,
  nameEnd,
  readInverseKey,
  readUint16,
  reverseLabels,
  typeOfInverseKey,
} from '../segment/keys.ts';
import { MergingCursor } from '../segment/merging-cursor.ts';
import type { TableName } from '../segment/segment-files.ts';
import type { LeafFilter } from '../segment/table-reader.ts';
import { type Bucket, downsample, readBuckets, SightingSum } from '../segment/time-buckets.ts';
import { ForwardRow } from './forward-row.ts';
import { beyondChild, isPast, type KeyRange, rangesOf } from './key-ranges.ts';
import { isInSpan } from './name-span.ts';
import { keysPerTimeCheck, type ResumableScan, type Skip, sliceKeyBytesMax } from './resumable-scan.ts';

const bucketMarkBytes = 5;
const forwardTable = ['forward'] as const;
const inverseTable = ['inverse'] as const;

export class RowScan implements ResumableScan<Row> {
  readonly tables: readonly TableName[];
  readonly #scan: Scan;
  readonly #wholeSelection: Selection;
  readonly #ranges: readonly KeyRange[];
  readonly #matchesType: (type: number) => boolean;
  readonly #bailiwick: Uint8Array | undefined;
  readonly #skip: Skip;
  readonly #sum = new SightingSum();
  readonly #rowOptions = { names: new ForwardNames() };
  readonly #buckets: Bucket[] = [];
  #segments: readonly OpenSegment[] = [];
  #range = 0;
  #merge: MergingCursor | undefined;
  #valid = false;
  /** The last key of the slice before, and the mark of the bucket where the scan resumes within a key. */
  #last: { readonly key: Uint8Array; readonly mark?: Uint8Array } | undefined;

  /** `wholeSelection` is that of the query, where this scan covers a part of it. */
  constructor(scan: Scan, skip: Skip, wholeSelection: Selection = scan.selection) {
    this.#scan = scan;
    this.#wholeSelection = wholeSelection;
    this.#ranges = rangesOf(scan.selection);
    this.tables = scan.selection.by === 'owner' ? forwardTable : inverseTable;
    this.#matchesType = typeMatcher(scan.filter.types);
    this.#bailiwick = scan.bailiwick && reverseLabels(scan.bailiwick);
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

  rebind(segments: readonly OpenSegment[]): void {
    this.#segments = segments;
    const range = this.#ranges[this.#range];
    if (range) this.#enter(range);
  }

  #enter(range: KeyRange): void {
    const filter = leafFilterOf(this.#scan.filter.fences);
    const tables = this.#segments.map((segment) => segment[range.table]);
    const merge = filter ? new MergingCursor(tables, () => filter) : new MergingCursor(tables);
    this.#merge = merge;
    const last = this.#last;
    const resumes = last && compareBytes(last.key, last.key.length, range.from, range.from.length) > 0;
    this.#valid = merge.seek(resumes ? last.key : range.from);
    if (resumes && this.#valid && !last.mark && isKey(merge, last.key)) this.#valid = merge.step();
  }

  release(): void {
    this.#merge?.release();
    this.#merge = undefined;
  }

  gather(rows: Row[], rowsMax: number, untilMs: number): boolean {
    let keyBytes = 0;
    for (let scanned = 1; ; scanned += 1) {
      const range = this.#ranges[this.#range];
      const merge = this.#merge;
      if (!range || !merge) return true;
      if (!this.#valid || isPast(range, merge.key, merge.keyLength)) {
        this.#range += 1;
        const next = this.#ranges[this.#range];
        if (!next) return true;
        merge.release();
        this.#enter(next);
        continue;
      }
      const beyond = beyondChild(range, merge.key);
      const before = rows.length;
      if (!beyond) this.#emitRow(range, merge, rows);
      keyBytes += (rows.length - before) * merge.keyLength;
      const enough =
        rows.length >= rowsMax ||
        keyBytes >= sliceKeyBytesMax ||
        (scanned % keysPerTimeCheck === 0 && performance.now() >= untilMs);
      if (enough) this.#last = { key: beyond ?? merge.key.slice(0, merge.keyLength) };
      this.#valid = beyond ? merge.seek(beyond) : merge.step();
      if (enough) return false;
    }
  }

  #emitRow(range: KeyRange, merge: MergingCursor, rows: Row[]): void {
    const { filter, merged, nowSeconds } = this.#scan;
    const { key, keyLength } = merge;
    const forward = range.table === 'forward';
    const typeAt = forward ? nameEnd(key, 0) : 0;
    const type = forward ? readUint16(key, typeAt) : typeOfInverseKey(key, keyLength);
    if (!this.#matchesType(type)) return;
    if (this.#bailiwick && !hasAt(key, typeAt + 2, this.#bailiwick)) return;
    if (holdsSeveralNames(type) && isDuplicate(this.#wholeSelection, key, keyLength)) return;
    if (merged) {
      const sum = this.#sum;
      sum.clear();
      for (let index = 0; index < merge.holderCount; index += 1) {
        const holder = merge.holders[index] as { bytes: Uint8Array; valueStart: number };
        sum.addList(holder.bytes, holder.valueStart);
      }
      if (!matchesFilter(filter, sum) || this.#skipsRow()) return;
      if (forward) rows.push(new ForwardRow(key, keyLength, sum, this.#rowOptions));
      else {
        const position = key.slice(0, keyLength);
        rows.push(inverseRow(position, position, sum));
      }
      return;
    }
    this.#buckets.length = 0;
    for (let index = 0; index < merge.holderCount; index += 1) {
      const holder = merge.holders[index] as { bytes: Uint8Array; valueStart: number };
      readBuckets(holder.bytes, holder.valueStart, this.#buckets);
    }
    const mark = this.#last?.mark && isKey(merge, this.#last.key) ? this.#last.mark : undefined;
    for (const bucket of downsample(this.#buckets, nowSeconds)) {
      if (mark && !isAfterMark(bucket, mark)) continue;
      if (!matchesFilter(filter, bucket) || this.#skipsRow()) continue;
      const position = withMark(key, keyLength, bucket);
      rows.push(
        forward
          ? new ForwardRow(key, keyLength, bucket, { ...this.#rowOptions, position })
          : inverseRow(key.slice(0, keyLength), position, bucket),
      );
    }
  }

  #skipsRow(): boolean {
    if (this.#skip.left === 0) return false;
    this.#skip.left -= 1;
    return true;
  }
}

/** Rdata that contains several of the selected names has a key under each of them; only the first is returned. */
export function isDuplicate(selection: Selection, key: Uint8Array, keyLength: number): boolean {
  if (selection.by !== 'rdata-name') return false;
  const { type, rdata } = readInverseKey(key, keyLength);
  const first = namesIn(type, rdata).find((name) => isInSpan(name, selection.name, selection.span));
  return first !== undefined && !hasAt(key, 1, reverseLabels(first));
}

export function inverseRow(
  key: Uint8Array,
  position: Position,
  { firstSeconds, lastSeconds, count }: Sighting,
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

export function matchesFilter(
  { fences, countMin, countMax }: SightingFilter,
  { firstSeconds, lastSeconds, count }: Sighting,
): boolean {
  const { firstBefore, firstAfter, lastBefore, lastAfter } = fences;
  if (firstBefore !== undefined && firstSeconds > firstBefore) return false;
  if (firstAfter !== undefined && firstSeconds < firstAfter) return false;
  if (lastBefore !== undefined && lastSeconds > lastBefore) return false;
  if (lastAfter !== undefined && lastSeconds < lastAfter) return false;
  if (countMin !== undefined && count < countMin) return false;
  return countMax === undefined || count <= countMax;
}

/**
 * A matching row has, in some segment, an entry last seen late enough and an entry first seen early enough. These may be in
 * different leaves, so only one of the two fences can skip leaves.
 */
function leafFilterOf({ lastAfter, firstBefore }: Fences): LeafFilter | undefined {
  if (lastAfter !== undefined) return { skips: (_minFirst, maxLast) => maxLast < lastAfter };
  if (firstBefore !== undefined) return { skips: (minFirst) => minFirst > firstBefore };
  return undefined;
}

function isKey(merge: MergingCursor, key: Uint8Array): boolean {
  return merge.keyLength === key.length && startsWith(merge.key, merge.keyLength, key);
}

function hasAt(key: Uint8Array, at: number, bytes: Uint8Array): boolean {
  for (let index = 0; index < bytes.length; index += 1) if (key[at + index] !== bytes[index]) return false;
  return true;
}

/** The position of a bucket: the key, then the mark: the first second of the bucket and its unit. */
export function withMark(key: Uint8Array, keyLength: number, { firstSeconds, unit }: Bucket): Position {
  const position = new Uint8Array(keyLength + bucketMarkBytes);
  position.set(key.subarray(0, keyLength));
  const view = new DataView(position.buffer);
  view.setUint32(keyLength, firstSeconds);
  view.setUint8(keyLength + 4, unit);
  return position;
}

export function splitMark(position: Position): { key: Uint8Array; mark: Uint8Array } {
  const keyLength = Math.max(0, position.length - bucketMarkBytes);
  return { key: position.subarray(0, keyLength), mark: position.subarray(keyLength) };
}

export function isAfterMark({ firstSeconds, unit }: Bucket, mark: Uint8Array): boolean {
  const view = new DataView(mark.buffer, mark.byteOffset, mark.byteLength);
  const markSeconds = view.getUint32(0);
  return firstSeconds > markSeconds || (firstSeconds === markSeconds && unit > view.getUint8(4));
}
