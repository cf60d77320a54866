/**
 * Scores names: hashed n-gram weights and form features go through gradient-boosted trees, the suffix adds its own log-odds, and the
 * sum goes through the calibration curve and is combined with the prior. A scorer handles one name at a time, many thousands a second.
 */

import { defaultPrior, priorLogOddsOf } from '../prior.ts';
import { type ByThreat, byThreat, type Threat, threats } from '../threat.ts';
import { scoreOf, shareOf } from './calibration-curve.ts';
import { binAll } from './feature-bins.ts';
import { fillGroupSums, labelScale } from './hashed-weights.ts';
import {
  type FeatureGroup,
  featureCount,
  featureGroupOf,
  featureGroups,
  fillForm,
  type Reason,
  reasonOf,
} from './name-features.ts';
import { NameGrams } from './name-grams.ts';
import type { RiskModel } from './name-model.ts';
import { findNameParts, type NameParts } from './name-parts.ts';
import { capIndex, cappedLogOdds, isStem } from './single-words.ts';
import { type SuffixIndexes, suffixIndexesOf } from './suffix-weights.ts';
import { ensembleValue, featureContributions } from './tree-ensemble.ts';

/** Log-odds in parts: the base that all names have, and the contribution of each reason. */
export interface LogOddsParts {
  readonly base: number;
  readonly added: Readonly<Record<Reason, number>>;
  /** The weight of each character of the label towards the threat. */
  readonly characterWeights: Float64Array;
}

export interface NameScorerOptions {
  /** The share of bad names among new registrations. */
  readonly prior?: number | undefined;
}

export class NameScorer {
  readonly model: RiskModel;
  readonly prior: number;
  readonly #grams = new NameGrams();
  readonly #features = new Float32Array(featureCount);
  readonly #binned = new Uint8Array(featureCount);
  readonly #suffixIndexes: SuffixIndexes;
  readonly #priorLogOdds: ByThreat<number>;
  #suffix = '';
  #suffixIndex: number | undefined;

  constructor(model: RiskModel, { prior = defaultPrior }: NameScorerOptions = {}) {
    this.model = model;
    this.prior = prior;
    this.#suffixIndexes = suffixIndexesOf(model.suffixes);
    this.#priorLogOdds = priorLogOddsOf(prior);
  }

  /** Scores from 1 to 99 by threat; undefined if there is no registrable domain. */
  findScores(name: string): ByThreat<number> | undefined {
    const parts = findNameParts(name);
    return parts ? this.scoresOf(parts) : undefined;
  }

  scoresOf(parts: NameParts): ByThreat<number> {
    this.#read(parts);
    return byThreat((threat) => this.scoreAt(threat, this.#logOdds(threat)));
  }

  /** The score for one threat, at a fraction of the cost of all. */
  scoreFor(parts: NameParts, threat: Threat): number {
    this.#read(parts);
    return this.scoreAt(threat, this.#logOdds(threat));
  }

  /** The score that these log-odds give. */
  scoreAt(threat: Threat, logOdds: number): number {
    return scoreOf(this.model.curves[threat], logOdds, this.#priorLogOdds[threat]);
  }

  /** The scores before they are rounded, from 0 to 1. */
  sharesOf(parts: NameParts): ByThreat<number> {
    this.#read(parts);
    return byThreat((threat) =>
      shareOf(this.model.curves[threat], this.#logOdds(threat), this.#priorLogOdds[threat]),
    );
  }

  /** The uncalibrated log-odds: finer than scores, to rank names. */
  logOddsOf(parts: NameParts): ByThreat<number> {
    this.#read(parts);
    return byThreat((threat) => this.#logOdds(threat));
  }

  /** The log-odds of one threat in parts that sum to it. */
  partsOf(parts: NameParts, threat: Threat): LogOddsParts {
    this.#read(parts);
    const { base, parts: byFeature } = featureContributions(
      this.model.trees[threat],
      this.#binned,
      featureCount,
    );
    const added = { words: 0, form: 0, suffix: this.#suffixLogOdds(threat) };
    let label = base;
    for (const [feature, part] of byFeature.entries()) {
      added[reasonOf(feature)] += part;
      label += part;
    }
    added.words += this.#singleWordLogOdds(threat, label);
    return { base, added, characterWeights: this.#characterWeights(parts.label.length, threat) };
  }

  /** The contributions of feature groups, which sum to the log-odds with the base. */
  groupsOf(parts: NameParts, threat: Threat): Readonly<Record<FeatureGroup, number>> {
    this.#read(parts);
    const { base, parts: byFeature } = featureContributions(
      this.model.trees[threat],
      this.#binned,
      featureCount,
    );
    const sums = Object.fromEntries(featureGroups.map((group) => [group, 0])) as Record<FeatureGroup, number>;
    let label = base;
    for (const [feature, part] of byFeature.entries()) {
      sums[featureGroupOf(feature)] += part;
      label += part;
    }
    sums['single word'] = this.#singleWordLogOdds(threat, label);
    sums.suffix = this.#suffixLogOdds(threat);
    return sums;
  }

  /** The weight of each n-gram is divided evenly among its characters. */
  #characterWeights(length: number, threat: Threat): Float64Array {
    const { values, slotBits, step } = this.model.cells;
    const { buckets, ends, starts, lengths } = this.#grams;
    const weights = new Float64Array(length);
    const slot = threats.indexOf(threat);
    const scale = labelScale(this.#grams) * step;
    const mask = (values.length >> slotBits) - 1;
    for (let at = 0; at < (ends[1] as number); at += 1) {
      const cell = ((buckets[at] as number) & mask) << slotBits;
      const weight = (values[cell + slot] as number) * scale;
      const run = lengths[at] as number;
      // The text begins with a marker for the start of the label.
      const first = (starts[at] as number) - 1;
      for (let to = Math.max(0, first); to < Math.min(length, first + run); to += 1)
        weights[to] = (weights[to] as number) + weight / run;
    }
    return weights;
  }

  #suffixLogOdds(threat: Threat): number {
    if (this.#suffixIndex === undefined) return 0;
    return this.model.suffixes.weights[this.#suffixIndex + threats.indexOf(threat)] as number;
  }

  #logOdds(threat: Threat): number {
    const label = ensembleValue(this.model.trees[threat], this.#binned);
    return label + this.#singleWordLogOdds(threat, label) + this.#suffixLogOdds(threat);
  }

  /** What is taken from the log-odds of a label because it is a single word. */
  #singleWordLogOdds(threat: Threat, label: number): number {
    const { stems, caps } = this.model.singleWords;
    if (!isStem(this.#grams, stems)) return 0;
    return cappedLogOdds(label, caps[capIndex(threats.indexOf(threat), this.#suffix)] as number) - label;
  }

  #read(parts: NameParts): void {
    const { cells, letters, edges } = this.model;
    this.#grams.read(parts);
    this.#suffix = parts.suffix;
    this.#suffixIndex = this.#suffixIndexes.get(parts.suffix);
    fillGroupSums(this.#grams, cells, this.#features);
    fillForm(this.#features, parts, this.#grams, letters);
    binAll(this.#features, edges, this.#binned);
  }
}
