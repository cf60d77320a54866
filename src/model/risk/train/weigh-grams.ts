/**
 * Learns the weights of pieces of names: logistic regression, each name seen once, each weight with a pace of its own that slows as
 * it learns (Adagrad). What the weights said of a name before they learnt from it is an honest guess, and the later ones of these
 * are kept as rows for the trees: no names have to be set aside for them.
 */
import { type Cells, labelShare, putGroupSums, suffixShare } from '../group-sums.ts';
import { featureCount, fillForm, sumsPerThreat } from '../name-features.ts';
import { gramGroups, NameGrams } from '../name-grams.ts';
import type { NameParts } from '../name-parts.ts';
import type { Random } from '../seeded-random.ts';
import { shuffledOrder } from '../seeded-random.ts';
import { type Threat, threats } from '../threat.ts';
import { FeatureRows } from './feature-rows.ts';
import type { SampleWeights } from './sample-weights.ts';
import type { TrainingSet } from './training-set.ts';

export interface WeighOptions {
  readonly bucketBits: number;
  readonly rowsMax: number;
  readonly onProgress?: (done: number, all: number) => void;
}

export interface WeighedGrams {
  readonly cells: Cells & { readonly values: Float32Array };
  readonly rows: FeatureRows;
}

const pace = 0.3;
const firstSlowness = 1e-3;
/** Names before this share of the pass are not kept: too little was learnt when they came. */
const rowsFromShare = 0.5;
const weightMin = 0.01;
const progressEach = 50_000;
const labelGroups = gramGroups.length - 1;
/** A cell holds the weights of a bucket, and behind them how slow each has become. */
const placeBits = 3;
const slownessFrom = 4;

export function weighGrams(
  set: TrainingSet,
  weights: readonly SampleWeights[],
  letters: Uint8Array,
  random: Random,
  options: WeighOptions,
): WeighedGrams {
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
    const parts = {
      domain: '',
      label: set.labels[index] as string,
      suffix: set.suffixes[index] as string,
      isInternational: set.isInternational(index),
    };
    learner.read(parts, features);
    if (done >= rowsFrom && !rows.isFull) {
      fillForm(features, parts, letters);
      rows.add(index, features, learner.suffixes);
    }
    for (let place = 0; place < threats.length; place += 1) {
      const { plain, levelled } = weights[place] as SampleWeights;
      if (plain[index] === 0) continue;
      const truth = set.isOf(index, threats[place] as Threat) ? 1 : 0;
      const label = features[place * sumsPerThreat + labelGroups] as number;
      learner.learn(place, label, truth, levelled[index] as number, plain[index] as number);
    }
    if (done % progressEach === 0) options.onProgress?.(done, order.length);
  }
  return { cells: learner.cells, rows };
}

class Learner {
  readonly cells: Cells & { readonly values: Float32Array };
  /** What the suffix of the name that was read says, for each threat. */
  readonly suffixes = new Float32Array(threats.length);
  readonly #grams = new NameGrams();

  constructor(buckets: number) {
    const values = new Float32Array(buckets << placeBits);
    for (let cell = 0; cell < values.length; cell += 1 << placeBits)
      values.fill(firstSlowness, cell + slownessFrom, cell + slownessFrom + threats.length);
    this.cells = { values, placeBits, step: 1 };
  }

  read(parts: NameParts, features: Float32Array): void {
    this.#grams.read(parts);
    putGroupSums(this.#grams, this.cells, features, this.suffixes);
  }

  /** Suffixes learn what labels leave unsaid. */
  learn(place: number, label: number, truth: number, levelled: number, plain: number): void {
    const { ends } = this.#grams;
    const labelEnd = ends[labelGroups - 1] as number;
    if (levelled >= weightMin)
      this.#step(place, 0, labelEnd, errorOf(label, truth) * levelled * labelShare(this.#grams));
    const both = label + (this.suffixes[place] as number);
    if (plain >= weightMin)
      this.#step(place, labelEnd, ends[labelGroups] as number, errorOf(both, truth) * plain * suffixShare);
  }

  #step(place: number, from: number, to: number, slope: number): void {
    const { buckets } = this.#grams;
    const { values } = this.cells;
    const mask = (values.length >> placeBits) - 1;
    const square = slope * slope;
    const step = pace * slope;
    for (let at = from; at < to; at += 1) {
      const weight = (((buckets[at] as number) & mask) << placeBits) + place;
      const slow = (values[weight + slownessFrom] as number) + square;
      values[weight + slownessFrom] = slow;
      values[weight] = (values[weight] as number) - step / Math.sqrt(slow);
    }
  }
}

function errorOf(logOdds: number, truth: number): number {
  return 1 / (1 + Math.exp(-logOdds)) - truth;
}
