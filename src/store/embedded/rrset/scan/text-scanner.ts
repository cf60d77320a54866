/** Scans the distinct names or rdata whose text matches a pattern. The trigram index rules out leaves that cannot match. */
import type { TextRow, TextScan } from '../../../rrset-store.ts';
import type { OpenSegment } from '../open-segments.ts';
import { searchedText } from '../segment/build-table.ts';
import { distinctKinds, readUint16 } from '../segment/keys.ts';
import { MergingCursor } from '../segment/merging-cursor.ts';
import type { LeafFilter, TableReader } from '../segment/table-reader.ts';
import { SightingSum } from '../segment/time-buckets.ts';
import { TrigramReader } from '../segment/trigram-index.ts';
import type { ResumableScan, Skip } from './resumable-scan.ts';
import { matchesFilter } from './row-scan.ts';

/** A pattern can be made to cost milliseconds for one name, so the time is checked often. */
const keysPerTimeCheck = 4;
/** Only the beginning of longer rdata is matched, so that one record cannot block the event loop. */
const matchedCharactersMax = 4096;

export class TextScanner implements ResumableScan<TextRow> {
  readonly #scan: TextScan;
  readonly #kind: number;
  readonly #skip: Skip;
  readonly #sum = new SightingSum();
  #merge: MergingCursor | undefined;
  #valid = false;
  #last: Uint8Array | undefined;

  constructor(scan: TextScan, skip: Skip) {
    this.#scan = scan;
    this.#kind = scan.over === 'names' ? distinctKinds.owner : distinctKinds.rdata;
    this.#skip = skip;
    this.#last = scan.after;
  }

  rebind(segments: readonly OpenSegment[]): void {
    const filters = new Map(segments.map((segment) => [segment.distinct, this.#leafFilterOf(segment)]));
    const filterOf = (table: TableReader) => filters.get(table) ?? {};
    const merge = new MergingCursor([...filters.keys()], filterOf);
    this.#merge = merge;
    const last = this.#last;
    this.#valid = merge.seek(last ?? Uint8Array.of(this.#kind));
    if (last && this.#valid && Buffer.compare(merge.key.subarray(0, merge.keyLength), last) === 0) {
      this.#valid = merge.step();
    }
  }

  #leafFilterOf(segment: OpenSegment): LeafFilter {
    if (!segment.trigram || this.#scan.prefilter.kind === 'anything') return {};
    const reader = new TrigramReader(segment.trigram, this.#scan.prefilter);
    return { wantedFrom: (offset) => reader.wantedFrom(offset) };
  }

  release(): void {
    this.#merge?.release();
  }

  gather(rows: TextRow[], rowsMax: number, untilMs: number): boolean {
    for (let scanned = 1; ; scanned += 1) {
      const merge = this.#merge;
      if (!merge || !this.#valid || merge.key[0] !== this.#kind) return true;
      this.#emitRow(merge, rows);
      const enough =
        rows.length >= rowsMax || (scanned % keysPerTimeCheck === 0 && performance.now() >= untilMs);
      if (enough) this.#last = merge.key.slice(0, merge.keyLength);
      this.#valid = merge.step();
      if (enough) return false;
    }
  }

  #emitRow(merge: MergingCursor, rows: TextRow[]): void {
    const { key, keyLength } = merge;
    const names = this.#kind === distinctKinds.owner;
    const wireEnd = names ? keyLength - 2 : 1 + readUint16(key, keyLength - 2);
    const type = readUint16(key, wireEnd);
    if (!this.#scan.filter.matchesType(type)) return;
    const text = searchedText(key, 0, keyLength);
    if (text === undefined || !this.#scan.matches(text.slice(0, matchedCharactersMax))) return;
    const sum = this.#sum;
    sum.clear();
    for (let index = 0; index < merge.holderCount; index += 1) {
      const holder = merge.holders[index] as { bytes: Uint8Array; valueStart: number };
      sum.addList(holder.bytes, holder.valueStart);
    }
    if (!matchesFilter(this.#scan.filter, sum)) return;
    if (this.#skip.left > 0) {
      this.#skip.left -= 1;
      return;
    }
    const { firstSeconds, lastSeconds, count } = sum;
    const position = key.slice(0, keyLength);
    rows.push({ text, type, wire: key.slice(1, wireEnd), firstSeconds, lastSeconds, count, position });
  }
}
