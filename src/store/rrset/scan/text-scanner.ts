/** Scans the distinct names or rdata whose text matches a pattern. The trigram index rules out leaves that cannot match. */
import { isDnssecType, isTextType } from '../../../model/dns/rr-type.ts';
import type { TextRow, TextScan } from '../../rrset-store.ts';
import type { OpenSegment } from '../open-segment.ts';
import { distinctKinds, readUint16 } from '../segment/keys.ts';
import { MergingCursor } from '../segment/merging-cursor.ts';
import { searchedText } from '../segment/table-output.ts';
import type { LeafFilter, TableReader } from '../segment/table-reader.ts';
import { SightingSum } from '../segment/time-buckets.ts';
import { TrigramReader } from '../segment/trigram-index.ts';
import { type ResumableScan, type Skip, sliceKeyBytesMax } from './resumable-scan.ts';
import { matchesFilter } from './row-scan.ts';
import { TextMatcher } from './text-matcher.ts';

/** Matching a text may take some tenths of a millisecond. */
const keysPerTimeCheck = 16;

export class TextScanner implements ResumableScan<TextRow> {
  readonly tables = ['distinct', 'trigram'] as const;
  readonly #scan: TextScan;
  readonly #kind: number;
  readonly #matcher: TextMatcher;
  readonly #matchesType: (type: number) => boolean;
  readonly #skip: Skip;
  readonly #sum = new SightingSum();
  #merge: MergingCursor | undefined;
  #valid = false;
  #last: Uint8Array | undefined;
  /** The key whose text was being matched when the time was up. */
  #interrupted: Uint8Array | undefined;

  constructor(scan: TextScan, skip: Skip) {
    this.#scan = scan;
    this.#kind = scan.over === 'names' ? distinctKinds.owner : distinctKinds.rdata;
    this.#matcher = new TextMatcher(scan);
    this.#matchesType = matchesTypeOf(scan);
    this.#skip = skip;
    this.#last = scan.after;
  }

  rebind(segments: readonly OpenSegment[]): void {
    const filters = new Map(segments.map((segment) => [segment.distinct, this.#leafFilterOf(segment)]));
    const filterOf = (table: TableReader) => filters.get(table) ?? {};
    const merge = new MergingCursor([...filters.keys()], filterOf);
    this.#merge = merge;
    const interrupted = this.#interrupted;
    const last = this.#last;
    this.#valid = merge.seek(interrupted ?? last ?? Uint8Array.of(this.#kind));
    if (
      !interrupted &&
      last &&
      this.#valid &&
      Buffer.compare(merge.key.subarray(0, merge.keyLength), last) === 0
    ) {
      this.#valid = merge.step();
    }
  }

  #leafFilterOf(segment: OpenSegment): LeafFilter {
    const { prefilter } = this.#matcher;
    if (!segment.trigram || prefilter.kind === 'anything') return {};
    const reader = new TrigramReader(segment.trigram, prefilter);
    return { wantedFrom: (offset) => reader.wantedFrom(offset) };
  }

  release(): void {
    this.#merge?.release();
    this.#merge = undefined;
    this.#matcher.dropCache();
  }

  gather(rows: TextRow[], rowsMax: number, untilMs: number): boolean {
    let keyBytes = 0;
    for (let scanned = 1; ; scanned += 1) {
      const merge = this.#merge;
      if (!merge || !this.#valid || merge.key[0] !== this.#kind) return true;
      const before = rows.length;
      if (!this.#emitRow(merge, rows, untilMs)) return false;
      if (rows.length > before) keyBytes += merge.keyLength;
      const enough =
        rows.length >= rowsMax ||
        keyBytes >= sliceKeyBytesMax ||
        (scanned % keysPerTimeCheck === 0 && performance.now() >= untilMs);
      if (enough) this.#last = merge.key.slice(0, merge.keyLength);
      this.#valid = merge.step();
      if (enough) return false;
    }
  }

  /** False when the time was up before the text was decided. */
  #emitRow(merge: MergingCursor, rows: TextRow[], untilMs: number): boolean {
    const { key, keyLength } = merge;
    const names = this.#kind === distinctKinds.owner;
    const wireEnd = names ? keyLength - 2 : 1 + readUint16(key, keyLength - 2);
    const type = readUint16(key, wireEnd);
    if (!this.#matchesType(type)) return true;
    this.#begin(merge);
    const matched = this.#matcher.resume(untilMs);
    if (matched === undefined) {
      this.#interrupted = key.slice(0, keyLength);
      return false;
    }
    if (!matched) return true;
    const sum = this.#sum;
    sum.clear();
    for (let index = 0; index < merge.holderCount; index += 1) {
      const holder = merge.holders[index] as { bytes: Uint8Array; valueStart: number };
      sum.addList(holder.bytes, holder.valueStart);
    }
    if (!matchesFilter(this.#scan.filter, sum)) return true;
    if (this.#skip.left > 0) {
      this.#skip.left -= 1;
      return true;
    }
    const { firstSeconds, lastSeconds, count } = sum;
    const position = key.slice(0, keyLength);
    const text = searchedText(key, 0, keyLength) ?? '';
    rows.push({ text, type, wire: key.slice(1, wireEnd), firstSeconds, lastSeconds, count, position });
    return true;
  }

  /** Gives the text of the key to the matcher, which may be half-way through it. */
  #begin({ key, keyLength }: MergingCursor): void {
    const interrupted = this.#interrupted;
    this.#interrupted = undefined;
    if (interrupted && Buffer.compare(key.subarray(0, keyLength), interrupted) === 0) return;
    if (this.#kind === distinctKinds.owner) this.#matcher.beginName(key, 1);
    else this.#matcher.begin(searchedText(key, 0, keyLength) ?? '');
  }
}

function matchesTypeOf({ over, type: wanted }: TextScan): (type: number) => boolean {
  if (wanted !== undefined) return (type) => type === wanted;
  return over === 'names' ? (type) => !isDnssecType(type) : isTextType;
}
