/**
 * Trains the weights of hashed n-grams: online logistic regression in two passes, with AdaGrad learning rates (Duchi, Hazan and Singer
 * 2011, https://jmlr.org/papers/v12/duchi11a.html). The names that the trees are trained on come last: the prediction for each of them before
 * it is learnt from is out-of-sample (progressive validation), and by weights that hardly differ from the final ones.
 */
import { fillGroupSums, labelScale, type WeightTable } from '../../src/model/risk/name/hashed-weights.ts';
import { featureCount, fillForm, sumsPerThreat } from '../../src/model/risk/name/name-features.ts';
import { gramGroups, NameGrams } from '../../src/model/risk/name/name-grams.ts';
import type { NameParts } from '../../src/model/risk/name/name-parts.ts';
import { threats } from '../../src/model/risk/threat.ts';
import { FeatureRows } from './feature-rows.ts';
import type { Random } from './seeded-random.ts';
import { shuffledOrder } from './seeded-random.ts';
import type { TrainingSet } from './training-set.ts';

export interface GramWeightOptions {
  /** By threat. */
  readonly weights: readonly Float32Array[];
  /** The letter model, for the form features of the rows. */
  readonly letters: Uint8Array;
  readonly random: Random;
  readonly bucketBits: number;
  readonly rowsMax: number;
  readonly onProgress?: (done: number, all: number) => void;
}

export interface TrainedGramWeights {
  readonly cells: WeightTable & { readonly values: Float32Array };
  readonly rows: FeatureRows;
}

const passes = 2;
const learningRate = 0.25;
/** The initial sum of squared gradients. */
const initialSquares = 1e-3;
/** Of the names. */
const rowsShareMax = 0.2;
const weightMin = 0.01;
const progressEach = 50_000;
const groups = gramGroups.length;
/** A cell holds the weights of a bucket, then the sum of squared gradients of each weight. */
const slotBits = 3;
const squaresFrom = 4;

export function trainGramWeights(set: TrainingSet, options: GramWeightOptions): TrainedGramWeights {
  const { weights, letters, random, rowsMax, onProgress } = options;
  const learner = new Learner(2 ** options.bucketBits);
  const features = new Float32Array(featureCount);
  const rows = new FeatureRows(Math.min(rowsMax, Math.ceil(set.size * rowsShareMax)), featureCount);
  const order = shuffledOrder(set.size, random);
  const [first, last] = [order.subarray(0, -rows.room), order.subarray(-rows.room)];
  const all = passes * first.length + last.length;
  let done = 0;
  const learn = (index: number, isRow: boolean) => {
    if (done % progressEach === 0) onProgress?.(done, all);
    done += 1;
    if (!isRow && weights.every((ofThreat) => (ofThreat[index] as number) < weightMin)) return;
    const parts = set.partsOf(index);
    learner.read(parts, features);
    if (isRow) {
      fillForm(features, parts, learner.grams, letters);
      rows.add(index, features);
    }
    for (const [slot, threat] of threats.entries()) {
      const weight = weights[slot]?.[index] as number;
      if (weight < weightMin) continue;
      const logOdds = features[slot * sumsPerThreat + groups] as number;
      learner.learn(slot, errorOf(logOdds, set.isOf(index, threat) ? 1 : 0) * weight);
    }
  };
  for (let pass = 0; pass < passes; pass += 1)
    for (const at of shuffledOrder(first.length, random)) learn(first[at] as number, false);
  for (const index of last) learn(index, true);
  return { cells: learner.cells, rows };
}

class Learner {
  readonly cells: WeightTable & { readonly values: Float32Array };
  readonly grams = new NameGrams();

  constructor(buckets: number) {
    const values = new Float32Array(buckets << slotBits);
    for (let cell = 0; cell < values.length; cell += 1 << slotBits)
      values.fill(initialSquares, cell + squaresFrom, cell + squaresFrom + threats.length);
    this.cells = { values, slotBits, step: 1 };
  }

  read(parts: NameParts, features: Float32Array): void {
    this.grams.read(parts);
    fillGroupSums(this.grams, this.cells, features);
  }

  /** Learns from the weighted error of the prediction for the current name. */
  learn(slot: number, error: number): void {
    const { buckets, ends } = this.grams;
    const gradient = error * labelScale(this.grams);
    const end = ends[groups - 1] as number;
    const { values } = this.cells;
    const mask = (values.length >> slotBits) - 1;
    const square = gradient * gradient;
    const step = learningRate * gradient;
    for (let at = 0; at < end; at += 1) {
      const weight = (((buckets[at] as number) & mask) << slotBits) + slot;
      const squares = (values[weight + squaresFrom] as number) + square;
      values[weight + squaresFrom] = squares;
      values[weight] = (values[weight] as number) - step / Math.sqrt(squares);
    }
  }
}

function errorOf(logOdds: number, target: number): number {
  return 1 / (1 + Math.exp(-logOdds)) - target;
}
