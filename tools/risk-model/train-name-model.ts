/**
 * Trains the name model on labelled names: a linear model over hashed n-grams, gradient-boosted trees over its sums and the form of the
 * label (stacking), and isotonic calibration.
 */

import type { CalibrationCurve } from '../../src/model/risk/name/calibration-curve.ts';
import { type BinEdges, binAll } from '../../src/model/risk/name/feature-bins.ts';
import { modelSlotBits } from '../../src/model/risk/name/hashed-weights.ts';
import { featureCount } from '../../src/model/risk/name/name-features.ts';
import type { RiskModel } from '../../src/model/risk/name/name-model.ts';
import { type SuffixTrust, trustedLogOdds } from '../../src/model/risk/name/suffix-trust.ts';
import { ensembleValue, type TreeEnsemble } from '../../src/model/risk/name/tree-ensemble.ts';
import { byThreat, type Threat, threats } from '../../src/model/risk/threat.ts';
import { type TrainedGramWeights, trainGramWeights } from './adagrad-regression.ts';
import type { FeatureRows } from './feature-rows.ts';
import { type BinnedRows, trainBoostedTrees } from './gradient-boosting.ts';
import { fitIsotonic } from './isotonic-regression.ts';
import { withLowerPrior } from './prior-correction.ts';
import { quantileEdges } from './quantile-bins.ts';
import { type SampleWeights, sampleWeights } from './sample-weights.ts';
import { seededRandom } from './seeded-random.ts';
import { trainLetterModel } from './train-letter-model.ts';
import type { TrainingSet } from './training-set.ts';

export interface TrainOptions {
  readonly seed: number;
  readonly before?: string | undefined;
  readonly bucketBits?: number;
  readonly trees?: number;
  readonly rowsMax?: number;
  readonly onProgress?: (stage: string, done: number, all: number) => void;
}

const defaults = { bucketBits: 22, trees: 80, rowsMax: 1_000_000 };
/** The share of rows that calibrate; the others train the trees. */
const curveShare = 0.15;
const suffixTrust: SuffixTrust = { country: 1, generic: 0.5, genericMax: 0.6 };
const weightStep = 0.1;
const weightMin = 0.25;
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
    const { forTrees, forCalibration, suffixes } = binnedRows(rows, threat, {
      edges,
      set,
      weights: weights[at] as SampleWeights,
    });
    const ensemble = trainBoostedTrees(forTrees, random, {
      trees: forTrees.targets.includes(1) ? trees : 0,
      onProgress: progressOf(`trees for ${threat}`),
    });
    const curve = calibrationFor(ensemble, forCalibration, suffixes);
    return { ensemble, curve: threat === 'phishing' ? curve : withLowerPrior(curve) };
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
    edges,
    cells: quantized(cells),
    suffixTrust,
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

interface BinningInputs {
  readonly edges: BinEdges;
  readonly set: TrainingSet;
  readonly weights: SampleWeights;
}

function binnedRows(
  rows: FeatureRows,
  threat: Threat,
  { edges, set, weights }: BinningInputs,
): { readonly forTrees: BinnedRows; readonly forCalibration: BinnedRows; readonly suffixes: Float32Array } {
  const usable: number[] = [];
  for (let row = 0; row < rows.count; row += 1)
    if (weights.plain[rows.names[row] as number] !== 0) usable.push(row);
  const cut = Math.ceil(usable.length * (1 - curveShare));
  const binned = (chosen: readonly number[]): BinnedRows => {
    const bins = new Uint8Array(chosen.length * featureCount);
    for (const [at, row] of chosen.entries())
      binAll(rows.row(row), edges, bins.subarray(at * featureCount, (at + 1) * featureCount));
    const names = chosen.map((row) => rows.names[row] as number);
    return {
      count: chosen.length,
      width: featureCount,
      bins,
      targets: Uint8Array.from(names, (name) => (set.isOf(name, threat) ? 1 : 0)),
      weights: Float32Array.from(names, (name) => weights.levelled[name] as number),
    };
  };
  const slot = threats.indexOf(threat);
  return {
    forTrees: binned(usable.slice(0, cut)),
    forCalibration: binned(usable.slice(cut)),
    suffixes: Float32Array.from(usable.slice(cut), (row) => {
      const suffix = set.suffixes[rows.names[row] as number] as string;
      return trustedLogOdds(suffixTrust, suffix, rows.suffixes[row * threats.length + slot] as number);
    }),
  };
}

function calibrationFor(ensemble: TreeEnsemble, rows: BinnedRows, suffixes: Float32Array): CalibrationCurve {
  return fitIsotonic(
    Array.from(rows.targets, (truth, row) => ({
      logOdds:
        ensembleValue(ensemble, rows.bins.subarray(row * rows.width, (row + 1) * rows.width)) +
        (suffixes[row] as number),
      isBad: truth === 1,
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
