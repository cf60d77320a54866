/**
 * Finds the words with which many names begin, and how suspicious such a word is as a whole label: for each kind of suffix, how much more
 * common these labels are among bad than among good names.
 */
import { NameGrams, prefixHashes } from '../../src/model/risk/name/name-grams.ts';
import {
  capCount,
  capIndex,
  isStem,
  type SingleWords,
  stemBits,
} from '../../src/model/risk/name/single-words.ts';
import { threats } from '../../src/model/risk/threat.ts';
import type { TrainingSet } from './training-set.ts';

/** Longer names that must begin with a word. */
const namesMin = 6;
/** Of the names that begin with all but its last letter: a word has no other common end, a few letters by chance have many. */
const wordShareMin = 0.5;
/** Or as many names must have a hyphen after it, which proves a word whatever else begins alike (`fedex-parcel`, beside `federal`). */
const hyphenatedMin = 6;
const countBits = 24;
const prefixMin = 3;
const prefixMax = 20;
/** The cap of a kind of suffix without such labels: none. */
const uncapped = 99;

/** `weights` are sample weights by threat. */
export function trainSingleWords(set: TrainingSet, weights: readonly Float32Array[]): SingleWords {
  const stems = stemsOf(set.labels);
  const grams = new NameGrams();
  const [bad, good] = [new Float64Array(capCount), new Float64Array(capCount)];
  for (let index = 0; index < set.size; index += 1) {
    const parts = set.partsOf(index);
    grams.read(parts);
    if (!isStem(grams, stems)) continue;
    for (const [slot, threat] of threats.entries()) {
      const side = set.isOf(index, threat) ? bad : good;
      const cap = capIndex(slot, parts.suffix);
      side[cap] = (side[cap] as number) + (weights[slot]?.[index] as number);
    }
  }
  return { stems, caps: Float32Array.from(bad, (sum, cap) => capOf(sum, good[cap] as number)) };
}

function capOf(bad: number, good: number): number {
  return bad + good === 0 ? uncapped : Math.log((bad + 1) / (good + 1));
}

function stemsOf(labels: readonly string[]): Uint8Array {
  const [all, hyphenated] = [new BeginningCounts(), new BeginningCounts()];
  for (const label of labels)
    for (const { hash, length } of beginnings(label)) {
      all.add(hash);
      if (label[length] === '-') hyphenated.add(hash);
    }
  const stems = new Uint8Array(2 ** stemBits);
  for (const label of labels) {
    const lettersEnd = label.search(/[^a-z]/);
    let shorter = Number.POSITIVE_INFINITY;
    for (const { hash, length } of beginnings(label)) {
      const names = all.of(hash);
      const isOfLetters = lettersEnd < 0 || length <= lettersEnd;
      const isWord = isOfLetters && names >= namesMin && names >= wordShareMin * shorter;
      if (isWord || hyphenated.of(hash) >= hyphenatedMin) stems[hash & (stems.length - 1)] = 1;
      shorter = names;
    }
  }
  return stems;
}

/** Beginnings are counted in two tables by different bits of their hashes; a chance collision seldom happens in both. */
class BeginningCounts {
  readonly #first = new Uint32Array(2 ** countBits);
  readonly #second = new Uint32Array(2 ** countBits);

  add(hash: number): void {
    const [one, other] = [hash >>> (32 - countBits), rehashed(hash)];
    this.#first[one] = (this.#first[one] as number) + 1;
    this.#second[other] = (this.#second[other] as number) + 1;
  }

  of(hash: number): number {
    return Math.min(this.#first[hash >>> (32 - countBits)] as number, this.#second[rehashed(hash)] as number);
  }
}

/** The beginnings of a label that are shorter than the label, from the shortest on. */
function* beginnings(label: string): Generator<{ readonly hash: number; readonly length: number }> {
  let length = 0;
  for (const hash of prefixHashes(label)) {
    length += 1;
    if (length === Math.min(label.length, prefixMax + 1)) break;
    if (length >= prefixMin) yield { hash, length };
  }
}

function rehashed(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> (32 - countBits);
}
