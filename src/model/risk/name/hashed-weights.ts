/**
 * The linear part of the name model: weights of hashed n-grams, summed by group and threat. The weights of a bucket for all threats
 * are adjacent in one cell, so that a bucket costs one cache miss.
 */

import { threats } from '../threat.ts';
import { sumsPerThreat } from './name-features.ts';
import { gramGroups, type NameGrams } from './name-grams.ts';

const groups = gramGroups.length;

/** Sums are divided by the square root of the number of n-grams, so that long names do not get larger sums than short ones. */
export function labelScale(grams: NameGrams): number {
  return 1 / Math.sqrt(grams.ends[groups - 1] as number);
}

export interface WeightTable {
  /** 2^n cells of 2^slotBits slots each; the first slots of a cell are its weights, one for each threat. */
  readonly values: Int8Array | Float32Array;
  readonly slotBits: number;
  /** The quantization step: the value of a stored weight of 1. */
  readonly step: number;
}

/** In a trained model; during training a cell also holds the optimizer's state. */
export const modelSlotBits = 2;

const sums = new Float64Array(threats.length);

/** Writes for each threat the sum of every group and their total into `features`. */
export function fillGroupSums(grams: NameGrams, cells: WeightTable, features: Float32Array): void {
  const scale = labelScale(grams) * cells.step;
  let from = 0;
  for (let threat = 0; threat < threats.length; threat += 1) features[threat * sumsPerThreat + groups] = 0;
  for (let group = 0; group < groups; group += 1) {
    const end = grams.ends[group] as number;
    sumCells(grams.buckets, from, end, cells);
    for (let threat = 0; threat < threats.length; threat += 1) {
      const sum = (sums[threat] as number) * scale;
      const first = threat * sumsPerThreat;
      features[first + group] = sum;
      features[first + groups] = (features[first + groups] as number) + sum;
    }
    from = end;
  }
}

function sumCells(buckets: Uint32Array, from: number, to: number, { values, slotBits }: WeightTable): void {
  const mask = (values.length >> slotBits) - 1;
  let [first, second, third] = [0, 0, 0];
  for (let at = from; at < to; at += 1) {
    const cell = ((buckets[at] as number) & mask) << slotBits;
    first += values[cell] as number;
    second += values[cell + 1] as number;
    third += values[cell + 2] as number;
  }
  sums[0] = first;
  sums[1] = second;
  sums[2] = third;
}
