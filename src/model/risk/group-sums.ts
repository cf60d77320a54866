/**
 * What the weights of pieces say of a name, group by group and for all threats at once. The weights of a bucket for all threats lie
 * side by side in one cell, so that a bucket costs one look into memory.
 */
import { sumsPerThreat } from './name-features.ts';
import { gramGroups, type NameGrams } from './name-grams.ts';
import { threats } from './threat.ts';

const labelGroups = gramGroups.length - 1;
/** So that long names do not weigh more than short ones, sums are divided by the root of how many pieces there are. */
export const suffixShare = 0.5;

export function labelShare(grams: NameGrams): number {
  return 1 / Math.sqrt(grams.ends[labelGroups - 1] as number);
}

export interface Cells {
  /** A power of two of cells, each of a power of two of places; the first places of a cell are the weights. */
  readonly values: Int8Array | Float32Array;
  readonly placeBits: number;
  /** What a weight of 1 is worth. */
  readonly step: number;
}

/** Of a model; while it learns, a cell has more to hold. */
export const cellPlaceBits = 2;

const sums = new Float64Array(threats.length);

/** For each threat a sum for each group of the label and one of all of them, into `features`; of the suffix, into `suffixes`. */
export function putGroupSums(
  grams: NameGrams,
  cells: Cells,
  features: Float32Array,
  suffixes: Float32Array,
): void {
  const share = labelShare(grams) * cells.step;
  let from = 0;
  for (let threat = 0; threat < threats.length; threat += 1)
    features[threat * sumsPerThreat + labelGroups] = 0;
  for (let group = 0; group < labelGroups; group += 1) {
    const end = grams.ends[group] as number;
    sumCells(grams.buckets, from, end, cells);
    for (let threat = 0; threat < threats.length; threat += 1) {
      const sum = (sums[threat] as number) * share;
      const first = threat * sumsPerThreat;
      features[first + group] = sum;
      features[first + labelGroups] = (features[first + labelGroups] as number) + sum;
    }
    from = end;
  }
  sumCells(grams.buckets, from, grams.ends[labelGroups] as number, cells);
  for (let threat = 0; threat < threats.length; threat += 1)
    suffixes[threat] = (sums[threat] as number) * suffixShare * cells.step;
}

function sumCells(buckets: Uint32Array, from: number, to: number, { values, placeBits }: Cells): void {
  const mask = (values.length >> placeBits) - 1;
  let [first, second, third] = [0, 0, 0];
  for (let at = from; at < to; at += 1) {
    const place = ((buckets[at] as number) & mask) << placeBits;
    first += values[place] as number;
    second += values[place + 1] as number;
    third += values[place + 2] as number;
  }
  sums[0] = first;
  sums[1] = second;
  sums[2] = third;
}
