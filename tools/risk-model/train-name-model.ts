/**
 * Trains the name model on labelled names: a linear model over hashed n-grams, gradient-boosted trees over its sums and the form of the
 * label (stacking), isotonic calibration, and the weights of suffixes.
 */

import type { CalibrationCurve } from '../../src/model/risk/name/calibration-curve.ts';
import { type BinEdges, binAll } from '../../src/model/risk/name/feature-bins.ts';
import { modelSlotBits } from '../../src/model/risk/name/hashed-weights.ts';
import { featureCount } from '../../src/model/risk/name/name-features.ts';
import type { RiskModel } from '../../src/model/risk/name/name-model.ts';
import { ensembleValue, type TreeEnsemble } from '../../src/model/risk/name/tree-ensemble.ts';
import { byThreat, type Threat, threats } from '../../src/model/risk/threat.ts';
import { type TrainedGramWeights, trainGramWeights } from './adagrad-regression.ts';
import type { FeatureRows } from './feature-rows.ts';
import { type BinnedRows, trainBoostedTrees } from './gradient-boosting.ts';
import { fitIsotonic } from './isotonic-regression.ts';
import { quantileEdges } from './quantile-bins.ts';
import { sampleWeights } from './sample-weights.ts';
import { seededRandom } from './seeded-random.ts';
import { trainLetterModel } from './train-letter-model.ts';
import { trainSingleWords } from './train-single-words.ts';
import { type ThreatLogOdds, trainSuffixWeights } from './train-suffix-weights.ts';
import type { TrainingSet } from './training-set.ts';

export interface TrainOptions {
  readonly seed: number;
  readonly before?: string | undefined;
  readonly bucketBits?: number;
  readonly trees?: number;
  readonly rowsMax?: number;
  readonly onProgress?: (stage: string, done: number, all: number) => void;
}

const defaults = { bucketBits: 22, trees: 80, rowsMax: 400_000 };
/** The share of rows that calibrate; the others train the trees. */
const curveShare = 0.15;
/** Scores are for new registrations of today, and for bad names of all ages that are still in use. */
const calibrating = { popularFactor: 0.01, decay: 0.85 };
const weightStep = 0.15;
const weightMin = 0.35;
const stepsMax = 127;

export function trainNameModel(set: TrainingSet, options: TrainOptions): RiskModel {
  const random = seededRandom(options.seed);
  const { bucketBits, trees, rowsMax } = { ...defaults, ...options };
  const progressOf = (stage: string) => (done: number, all: number) => options.onProgress?.(stage, done, all);
  const letters = trainLetterModel(goodLabels(set));
  const weights = threats.map((threat) => sampleWeights(set, threat));
  const { cells, rows } = trainGramWeights(set, {
    weights,
    letters,
    random,
    bucketBits,
    rowsMax,
    onProgress: progressOf('weights'),
  });
  const edges = quantileEdges(rows, featureCount);
  const trained = threats.map((threat, at) => {
    const usable = usableRows(rows, weights[at] as Float32Array);
    const binned = binnedRows(rows, usable, { edges, set, threat, weights: weights[at] as Float32Array });
    const ensemble = trainBoostedTrees(upTo(binned, treeRows(binned.count)), random, {
      trees: binned.targets.includes(1) ? trees : 0,
      onProgress: progressOf(`trees for ${threat}`),
    });
    const logOdds = logOddsOf(ensemble, binned);
    const names = Int32Array.from(usable, (row) => rows.names[row] as number);
    const calibratingWeights = sampleWeights(set, threat, calibrating);
    const curve = calibrationFor(
      binned.targets,
      logOdds,
      Float32Array.from(names, (name) => calibratingWeights[name] as number),
    );
    return { ensemble, curve, scored: { threat, curve, names, logOdds } satisfies ThreatLogOdds };
  });
  const of = <Value>(values: readonly Value[]) =>
    byThreat((threat) => values[threats.indexOf(threat)] as Value);
  return {
    summary: {
      seed: options.seed,
      trainedOn: countsOf(set),
      ...(set.datesFrom === undefined ? {} : { datesFrom: set.datesFrom }),
      ...(set.datesTo === undefined ? {} : { datesTo: set.datesTo }),
      ...(options.before === undefined ? {} : { before: options.before }),
      quality: {},
    },
    letters,
    singleWords: trainSingleWords(set, weights),
    edges,
    cells: quantized(cells),
    suffixes: trainSuffixWeights(
      set,
      trained.map(({ scored }) => scored),
    ),
    trees: of(trained.map(({ ensemble }) => ensemble)),
    curves: of(trained.map(({ curve }) => curve)),
  };
}

function* goodLabels(set: TrainingSet): Generator<string> {
  for (let index = 0; index < set.size; index += 1) if (set.isGood(index)) yield set.labels[index] as string;
}

function countsOf(set: TrainingSet): RiskModel['summary']['trainedOn'] {
  const counts = { good: 0, phishing: 0, malware: 0, spam: 0 };
  for (let index = 0; index < set.size; index += 1) {
    if (set.isGood(index)) counts.good += 1;
    for (const threat of threats) if (set.isOf(index, threat)) counts[threat] += 1;
  }
  return counts;
}

function usableRows(rows: FeatureRows, weights: Float32Array): Int32Array {
  const usable = new Int32Array(rows.count);
  let count = 0;
  for (let row = 0; row < rows.count; row += 1)
    if (weights[rows.names[row] as number] !== 0) usable[count++] = row;
  return usable.subarray(0, count);
}

interface BinningInputs {
  readonly edges: BinEdges;
  readonly set: TrainingSet;
  readonly threat: Threat;
  readonly weights: Float32Array;
}

function binnedRows(
  rows: FeatureRows,
  chosen: Int32Array,
  { edges, set, threat, weights }: BinningInputs,
): BinnedRows {
  const bins = new Uint8Array(chosen.length * featureCount);
  const targets = new Uint8Array(chosen.length);
  const weightOfRow = new Float32Array(chosen.length);
  for (let at = 0; at < chosen.length; at += 1) {
    const row = chosen[at] as number;
    const name = rows.names[row] as number;
    binAll(rows.row(row), edges, bins.subarray(at * featureCount, (at + 1) * featureCount));
    targets[at] = set.isOf(name, threat) ? 1 : 0;
    weightOfRow[at] = weights[name] as number;
  }
  return { count: chosen.length, width: featureCount, bins, targets, weights: weightOfRow };
}

/** The rows up to this train the trees; the others calibrate. */
function treeRows(count: number): number {
  return Math.ceil(count * (1 - curveShare));
}

function upTo({ width, bins, targets, weights }: BinnedRows, count: number): BinnedRows {
  return {
    count,
    width,
    bins: bins.subarray(0, count * width),
    targets: targets.subarray(0, count),
    weights: weights.subarray(0, count),
  };
}

function logOddsOf(ensemble: TreeEnsemble, { bins, count, width }: BinnedRows): Float32Array {
  const logOdds = new Float32Array(count);
  for (let row = 0; row < count; row += 1)
    logOdds[row] = ensembleValue(ensemble, bins.subarray(row * width, (row + 1) * width));
  return logOdds;
}

function calibrationFor(targets: Uint8Array, logOdds: Float32Array, weights: Float32Array): CalibrationCurve {
  const from = treeRows(targets.length);
  return fitIsotonic(
    Array.from(targets.subarray(from), (target, at) => ({
      logOdds: logOdds[from + at] as number,
      isBad: target === 1,
      weight: weights[from + at] as number,
    })),
  );
}

/** Quantizes the weights to one byte each; negligible weights become 0. */
function quantized({ values, slotBits }: TrainedGramWeights['cells']): RiskModel['cells'] {
  const buckets = values.length >> slotBits;
  const whole = new Int8Array(buckets << modelSlotBits);
  for (let bucket = 0; bucket < buckets; bucket += 1)
    for (let slot = 0; slot < threats.length; slot += 1) {
      const weight = values[(bucket << slotBits) + slot] as number;
      if (Math.abs(weight) < weightMin) continue;
      const steps = Math.round(weight / weightStep);
      whole[(bucket << modelSlotBits) + slot] = Math.max(-stepsMax, Math.min(stepsMax, steps));
    }
  return { values: whole, slotBits: modelSlotBits, step: weightStep };
}
