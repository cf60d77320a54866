/**
 * The JSON of a record in bytes, in which counts are replaced without writing the record again: counts change with other records, and
 * far more often than the record itself.
 */
import { type RecordPart, recordParts } from '../../../model/record/attributes.ts';
import type { ValueCounts } from '../../../store/domain-store.ts';
import { digitsOf, writeDigits } from './json-bytes.ts';

export interface CountedBytes {
  readonly bytes: Buffer;
  /** Where the value of the member `tags` begins. */
  readonly tagsAt: number;
  /** The counts, in the order of the bytes. */
  readonly counts: Counts;
}

interface Counts {
  /** How many are of each part; one part comes after the other, and within it counts are in the order in which they are stored. */
  readonly ofPart: Readonly<Record<RecordPart, number>>;
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
}

/** Notes the counts of a record, part by part, while it is written. */
export class CountPlaces {
  #starts = new Uint32Array(1024);
  #values = new Uint32Array(1024);
  #length = 0;
  #counts: ValueCounts = {};
  #ofPart = { root: 0, parsed_whois: 0, parsed_domain_rdap: 0 };
  /** Of the member that is being written. */
  part: RecordPart = 'root';

  begin(counts: ValueCounts): void {
    this.#counts = counts;
    this.#length = 0;
    this.#ofPart = { root: 0, parsed_whois: 0, parsed_domain_rdap: 0 };
  }

  /** The next count, which is written at `start`. */
  next(start: number): number {
    if (this.#length === this.#starts.length) {
      this.#starts = doubled(this.#starts);
      this.#values = doubled(this.#values);
    }
    const value = others(this.#counts[this.part], this.#ofPart[this.part]);
    this.#ofPart[this.part] += 1;
    this.#starts[this.#length] = start;
    this.#values[this.#length] = value;
    this.#length += 1;
    return value;
  }

  finish(): Counts {
    const starts = this.#starts.slice(0, this.#length);
    return { ofPart: this.#ofPart, starts, values: this.#values.slice(0, this.#length) };
  }
}

/** The same object where no count is another. */
export function withCounts(counted: CountedBytes, counts: ValueCounts): CountedBytes {
  const { bytes: before, tagsAt } = counted;
  const { ofPart, starts, values } = counted.counts;
  const after = othersIn(ofPart, counts, values.length);
  let [isSame, growth, growthBeforeTags] = [true, 0, 0];
  for (const [index, other] of after.entries()) {
    const value = values[index] as number;
    if (other === value) continue;
    isSame = false;
    const grown = digitsOf(other) - digitsOf(value);
    growth += grown;
    if ((starts[index] as number) < tagsAt) growthBeforeTags += grown;
  }
  if (isSame) return counted;
  const bytes = Buffer.allocUnsafe(before.length + growth);
  const startsAfter = new Uint32Array(starts.length);
  let [copied, end] = [0, 0];
  for (const [index, other] of after.entries()) {
    const start = starts[index] as number;
    end += before.copy(bytes, end, copied, start);
    copied = start + digitsOf(values[index] as number);
    startsAfter[index] = end;
    const digits = digitsOf(other);
    writeDigits(bytes, end, other, digits);
    end += digits;
  }
  before.copy(bytes, end, copied);
  return { bytes, tagsAt: tagsAt + growthBeforeTags, counts: { ofPart, starts: startsAfter, values: after } };
}

function othersIn(ofPart: Counts['ofPart'], counts: ValueCounts, length: number): Uint32Array {
  const after = new Uint32Array(length);
  let end = 0;
  for (const part of recordParts) {
    const stored = counts[part];
    for (let index = 0; index < ofPart[part]; index += 1, end += 1) after[end] = others(stored, index);
  }
  return after;
}

/** The number of other domains that have a value. */
function others(counts: Uint32Array | undefined, index: number): number {
  return Math.max(0, (counts?.[index] ?? 0) - 1);
}

function doubled(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(numbers.length * 2);
  longer.set(numbers);
  return longer;
}
