/** From labelled names to a model: weights of pieces, trees over what they say, and the curve to scores. */
import { type BinEdges, binAll } from '../feature-bins.ts';
import { cellPlaceBits } from '../group-sums.ts';
import { featureCount } from '../name-features.ts';
import type { RiskModel } from '../risk-model.ts';
import type { ScoreCurve } from '../score-curve.ts';
import { seededRandom } from '../seeded-random.ts';
import { type SuffixTrust, trustedLogOdds } from '../suffix-trust.ts';
import { byThreat, type Threat, threats } from '../threat.ts';
import { type TreeEnsemble, valueOf } from '../tree-ensemble.ts';
import { chooseEdges } from './choose-edges.ts';
import { expectingFewer } from './expected-share.ts';
import type { FeatureRows } from './feature-rows.ts';
import { fitCurve } from './fit-curve.ts';
import { type BinnedRows, growTrees } from './grow-trees.ts';
import { letterTable } from './letter-counts.ts';
import { type SampleWeights, sampleWeights } from './sample-weights.ts';
import type { TrainingSet } from './training-set.ts';
import { type WeighedGrams, weighGrams } from './weigh-grams.ts';

export interface TrainOptions {
  readonly seed: number;
  readonly before?: string | undefined;
  readonly bucketBits?: number;
  readonly trees?: number;
  readonly rowsMax?: number;
  readonly onProgress?: (stage: string, done: number, all: number) => void;
}

const defaults = { bucketBits: 22, trees: 80, rowsMax: 1_000_000 };
/** The last of the rows are for the curve, the others for trees. */
const curveShare = 0.15;
const suffixTrust: SuffixTrust = { country: 1, generic: 0.5, genericMax: 0.6 };
const weightStep = 0.1;
const weightMin = 0.25;
const stepsMax = 127;

export function trainModel(set: TrainingSet, options: TrainOptions): RiskModel {
  const random = seededRandom(options.seed);
  const { bucketBits, trees, rowsMax } = { ...defaults, ...options };
  const tell = (stage: string) => (done: number, all: number) => options.onProgress?.(stage, done, all);
  const letters = letterTable(goodLabels(set));
  const weights = threats.map((threat) => sampleWeights(set, threat));
  const { cells, rows } = weighGrams(set, weights, letters, random, {
    bucketBits,
    rowsMax,
    onProgress: tell('weights'),
  });
  const edges = chooseEdges(rows, featureCount);
  const judges = threats.map((threat, at) => {
    const { forTrees, forCurve, suffixes } = binnedRows(
      rows,
      edges,
      set,
      threat,
      weights[at] as SampleWeights,
    );
    const ensemble = growTrees(forTrees, random, {
      trees: forTrees.truths.includes(1) ? trees : 0,
      onProgress: tell(`trees for ${threat}`),
    });
    const curve = curveFor(ensemble, forCurve, suffixes);
    return { ensemble, curve: threat === 'phishing' ? curve : expectingFewer(curve) };
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
    cells: inSteps(cells),
    suffixTrust,
    trees: of(judges.map(({ ensemble }) => ensemble)),
    curves: of(judges.map(({ curve }) => curve)),
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

function binnedRows(
  rows: FeatureRows,
  edges: BinEdges,
  set: TrainingSet,
  threat: Threat,
  weights: SampleWeights,
): { readonly forTrees: BinnedRows; readonly forCurve: BinnedRows; readonly suffixes: Float32Array } {
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
      truths: Uint8Array.from(names, (name) => (set.isOf(name, threat) ? 1 : 0)),
      weights: Float32Array.from(names, (name) => weights.levelled[name] as number),
    };
  };
  const place = threats.indexOf(threat);
  return {
    forTrees: binned(usable.slice(0, cut)),
    forCurve: binned(usable.slice(cut)),
    suffixes: Float32Array.from(usable.slice(cut), (row) => {
      const suffix = set.suffixes[rows.names[row] as number] as string;
      return trustedLogOdds(suffixTrust, suffix, rows.suffixes[row * threats.length + place] as number);
    }),
  };
}

function curveFor(ensemble: TreeEnsemble, rows: BinnedRows, suffixes: Float32Array): ScoreCurve {
  return fitCurve(
    Array.from(rows.truths, (truth, row) => ({
      logOdds:
        valueOf(ensemble, rows.bins.subarray(row * rows.width, (row + 1) * rows.width)) +
        (suffixes[row] as number),
      isBad: truth === 1,
    })),
  );
}

/** Weights as whole steps, so that each fits in a byte; those that say next to nothing are left out. */
function inSteps({ values, placeBits }: WeighedGrams['cells']): RiskModel['cells'] {
  const buckets = values.length >> placeBits;
  const whole = new Int8Array(buckets << cellPlaceBits);
  for (let bucket = 0; bucket < buckets; bucket += 1)
    for (let place = 0; place < threats.length; place += 1) {
      const weight = values[(bucket << placeBits) + place] as number;
      if (Math.abs(weight) < weightMin) continue;
      const steps = Math.round(weight / weightStep);
      whole[(bucket << cellPlaceBits) + place] = Math.max(-stepsMax, Math.min(stepsMax, steps));
    }
  return { values: whole, placeBits: cellPlaceBits, step: weightStep };
}
