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

/** Longer names that must begin with a word; far more than chance collisions in the table. */
const namesMin = 30;
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
  const counts = new Uint32Array(2 ** stemBits);
  for (const label of labels) {
    let length = 0;
    for (const hash of prefixHashes(label)) {
      length += 1;
      if (length === Math.min(label.length, prefixMax + 1)) break;
      if (length < prefixMin) continue;
      const bucket = hash & (counts.length - 1);
      counts[bucket] = (counts[bucket] as number) + 1;
    }
  }
  const stems = new Uint8Array(counts.length);
  for (let bucket = 0; bucket < counts.length; bucket += 1)
    stems[bucket] = (counts[bucket] as number) >= namesMin ? 1 : 0;
  return stems;
}
