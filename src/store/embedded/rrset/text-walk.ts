/** Walks over the distinct names or data whose text matches a pattern; leaves without the needed trigrams stay unread. */
import type { TextRow, TextScan } from '../../rrset-store.ts';
import { distincts, readTwo } from './keys.ts';
import type { OpenRun } from './open-runs.ts';
import { PartMerge } from './part-merge.ts';
import type { LeafChoice, PartReader } from './part-reader.ts';
import { passes, type Skip, type Walk } from './row-walk.ts';
import { SightingSum } from './time-buckets.ts';
import { TrigramReader } from './trigrams.ts';
import { searchedText } from './write-part.ts';

/** A pattern can be made to cost milliseconds for one name, so the time is looked at often. */
const keysBetweenLooks = 4;
/** Of longer data only the beginning is matched: nobody shall hold the loop with one record. */
const matchedCharactersMax = 4096;

export class TextWalk implements Walk<TextRow> {
  readonly #scan: TextScan;
  readonly #kind: number;
  readonly #skip: Skip;
  readonly #sum = new SightingSum();
  #merge: PartMerge | undefined;
  #standing = false;
  #last: Uint8Array | undefined;

  constructor(scan: TextScan, skip: Skip) {
    this.#scan = scan;
    this.#kind = scan.over === 'names' ? distincts.owner : distincts.rdata;
    this.#skip = skip;
    this.#last = scan.after;
  }

  rebind(runs: readonly OpenRun[]): void {
    const choices = new Map(runs.map((run) => [run.distinct, this.#choiceOf(run)]));
    const choiceOf = (part: PartReader) => choices.get(part) ?? {};
    const merge = new PartMerge([...choices.keys()], choiceOf);
    this.#merge = merge;
    const last = this.#last;
    this.#standing = merge.seek(last ?? Uint8Array.of(this.#kind));
    if (last && this.#standing && Buffer.compare(merge.key.subarray(0, merge.keyLength), last) === 0) {
      this.#standing = merge.step();
    }
  }

  #choiceOf(run: OpenRun): LeafChoice {
    if (!run.trigram || this.#scan.needs.kind === 'anything') return {};
    const reader = new TrigramReader(run.trigram, this.#scan.needs);
    return { wantedFrom: (offset) => reader.wantedFrom(offset) };
  }

  release(): void {
    this.#merge?.release();
  }

  gather(rows: TextRow[], rowsMax: number, untilMs: number): boolean {
    for (let looked = 1; ; looked += 1) {
      const merge = this.#merge;
      if (!merge || !this.#standing || merge.key[0] !== this.#kind) return true;
      this.#deal(merge, rows);
      const enough =
        rows.length >= rowsMax || (looked % keysBetweenLooks === 0 && performance.now() >= untilMs);
      if (enough) this.#last = merge.key.slice(0, merge.keyLength);
      this.#standing = merge.step();
      if (enough) return false;
    }
  }

  #deal(merge: PartMerge, rows: TextRow[]): void {
    const { key, keyLength } = merge;
    const names = this.#kind === distincts.owner;
    const wireEnd = names ? keyLength - 2 : 1 + readTwo(key, keyLength - 2);
    const type = readTwo(key, wireEnd);
    if (!this.#scan.filter.keepsType(type)) return;
    const text = searchedText(key, 0, keyLength);
    if (text === undefined || !this.#scan.matches(text.slice(0, matchedCharactersMax))) return;
    const sum = this.#sum;
    sum.clear();
    for (let index = 0; index < merge.holderCount; index += 1) {
      const holder = merge.holders[index] as { bytes: Uint8Array; valueStart: number };
      sum.addList(holder.bytes, holder.valueStart);
    }
    if (!passes(this.#scan.filter, sum.firstSeconds, sum.lastSeconds, sum.count)) return;
    if (this.#skip.left > 0) {
      this.#skip.left -= 1;
      return;
    }
    const { firstSeconds, lastSeconds, count } = sum;
    const position = key.slice(0, keyLength);
    rows.push({ text, type, wire: key.slice(1, wireEnd), firstSeconds, lastSeconds, count, position });
  }
}
