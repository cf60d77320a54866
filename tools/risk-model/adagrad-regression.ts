/**
 * Trains the weights of hashed n-grams: online logistic regression in one pass, with AdaGrad learning rates (Duchi, Hazan and Singer
 * 2011, https://jmlr.org/papers/v12/duchi11a.html). The prediction for a name before it is learnt from is out-of-sample (progressive
 * validation); the later ones become the rows that the trees are trained on, so that no names have to be set aside.
 */
import { fillGroupSums, labelScale, type WeightTable } from '../../src/model/risk/name/hashed-weights.ts';
import { featureCount, fillForm, sumsPerThreat } from '../../src/model/risk/name/name-features.ts';
import { gramGroups, NameGrams } from '../../src/model/risk/name/name-grams.ts';
import type { NameParts } from '../../src/model/risk/name/name-parts.ts';
import { type Threat, threats } from '../../src/model/risk/threat.ts';
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

const learningRate = 0.3;
/** The initial sum of squared gradients. */
const initialSquares = 1e-3;
/** Predictions before this share of the pass are not used: the weights were still immature. */
const rowsFromShare = 0.5;
const weightMin = 0.01;
const progressEach = 50_000;
const groups = gramGroups.length;
/** A cell holds the weights of a bucket, then the sum of squared gradients of each weight. */
const slotBits = 3;
const squaresFrom = 4;

export function trainGramWeights(set: TrainingSet, options: GramWeightOptions): TrainedGramWeights {
  const { weights, letters, random } = options;
  const learner = new Learner(2 ** options.bucketBits);
  const rows = new FeatureRows(
    Math.min(options.rowsMax, Math.ceil(set.size * (1 - rowsFromShare))),
    featureCount,
  );
  const features = new Float32Array(featureCount);
  const order = shuffledOrder(set.size, random);
  const rowsFrom = Math.max(set.size * rowsFromShare, set.size - options.rowsMax);
  for (let done = 0; done < order.length; done += 1) {
    const index = order[done] as number;
    const parts = set.partsOf(index);
    learner.read(parts, features);
    if (done >= rowsFrom && !rows.isFull) {
      fillForm(features, parts, learner.grams, letters);
      rows.add(index, features);
    }
    for (let slot = 0; slot < threats.length; slot += 1) {
      const weight = weights[slot]?.[index] as number;
      if (weight < weightMin) continue;
      const target = set.isOf(index, threats[slot] as Threat) ? 1 : 0;
      const logOdds = features[slot * sumsPerThreat + groups] as number;
      learner.learn(slot, errorOf(logOdds, target) * weight);
    }
    if (done % progressEach === 0) options.onProgress?.(done, order.length);
  }
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
