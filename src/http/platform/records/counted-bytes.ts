/**
 * The JSON of a record in bytes, in which counts are replaced without writing the record again: counts change with other records, and
 * far more often than the record itself.
 */
import type { RecordPart } from '../../../model/record/attributes.ts';
import type { ValueCounts } from '../../../store/domain-store.ts';
import { countMark, type RecordText } from './record-text.ts';

export interface CountedBytes {
  readonly bytes: Buffer;
  /** Where the value of the member `tags` begins. */
  readonly tagsAt: number;
  /** The counts, in the order of the bytes. */
  readonly counts: {
    readonly parts: readonly RecordPart[];
    readonly starts: Uint32Array;
    readonly values: Uint32Array;
  };
}

const zero = 0x30;
const mark = countMark.charCodeAt(0);

/** All counts are 0. */
export function uncounted({ text, tagsAt, countedParts }: RecordText): CountedBytes {
  const bytes = Buffer.from(text);
  const isAscii = bytes.length === text.length;
  const starts = new Uint32Array(countedParts.length);
  let from = 0;
  for (let index = 0; index < starts.length; index += 1) {
    const at = bytes.indexOf(mark, from);
    bytes[at] = zero;
    starts[index] = at;
    from = at + 1;
  }
  return {
    bytes,
    tagsAt: isAscii ? tagsAt : Buffer.byteLength(text.slice(0, tagsAt)),
    counts: { parts: countedParts, starts, values: new Uint32Array(starts.length) },
  };
}

/** The same object where no count is another. */
export function withCounts(counted: CountedBytes, counts: ValueCounts): CountedBytes {
  const { bytes: before, tagsAt } = counted;
  const { parts, starts, values } = counted.counts;
  const others = othersIn(parts, counts);
  let [isSame, growth, growthBeforeTags] = [true, 0, 0];
  for (const [index, other] of others.entries()) {
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
  for (const [index, other] of others.entries()) {
    const start = starts[index] as number;
    end += before.copy(bytes, end, copied, start);
    copied = start + digitsOf(values[index] as number);
    startsAfter[index] = end;
    end += writeDigits(bytes, end, other);
  }
  before.copy(bytes, end, copied);
  return {
    bytes,
    tagsAt: tagsAt + growthBeforeTags,
    counts: { parts, starts: startsAfter, values: others },
  };
}

/** The numbers of other domains that have each value. */
function othersIn(parts: readonly RecordPart[], counts: ValueCounts): Uint32Array {
  const others = new Uint32Array(parts.length);
  const read: Record<RecordPart, number> = { root: 0, parsed_whois: 0, parsed_domain_rdap: 0 };
  for (const [index, part] of parts.entries()) {
    const count = counts[part]?.[read[part]] ?? 0;
    read[part] += 1;
    others[index] = Math.max(0, count - 1);
  }
  return others;
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits += 1;
  return digits;
}

/** Returns how many. */
function writeDigits(bytes: Buffer, start: number, value: number): number {
  const digits = digitsOf(value);
  for (let [at, rest] = [start + digits - 1, value]; at >= start; at -= 1) {
    bytes[at] = zero + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  return digits;
}
