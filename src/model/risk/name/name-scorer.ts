/**
 * Scores names: hashed n-gram weights and form features go through gradient-boosted trees, the suffix adds its own log-odds, and the
 * sum goes through the calibration curve. A scorer handles one name at a time, many thousands a second.
 */

import { type ByThreat, byThreat, type Threat, threats } from '../threat.ts';
import { scoreOf } from './calibration-curve.ts';
import { binAll } from './feature-bins.ts';
import { fillGroupSums, labelScale } from './hashed-weights.ts';
import { featureCount, fillForm, type Reason, reasonOf } from './name-features.ts';
import { NameGrams } from './name-grams.ts';
import type { RiskModel } from './name-model.ts';
import { findNameParts, type NameParts } from './name-parts.ts';
import { trustedLogOdds } from './suffix-trust.ts';
import { ensembleValue, featureContributions } from './tree-ensemble.ts';

/** Log-odds in parts: the base that all names have, and the contribution of each reason. */
export interface LogOddsParts {
  readonly base: number;
  readonly added: Readonly<Record<Reason, number>>;
  /** The weight of each character of the label towards the threat. */
  readonly characterWeights: Float64Array;
}

export interface NameScorerOptions {
  /**
   * Caps the contribution of every suffix at that of a generic one. For some countries training data has bad names and few ordinary
   * ones, so that their suffix would count as bad; scores that are published must not depend on that.
   */
  readonly capsSuffixes?: boolean;
}

export class NameScorer {
  readonly model: RiskModel;
  readonly #grams = new NameGrams();
  readonly #features = new Float32Array(featureCount);
  readonly #binned = new Uint8Array(featureCount);
  readonly #suffixes = new Float32Array(threats.length);
  readonly #suffixMax: number;
  #suffix = '';

  constructor(model: RiskModel, { capsSuffixes = false }: NameScorerOptions = {}) {
    this.model = model;
    this.#suffixMax = capsSuffixes ? model.suffixTrust.genericMax : Number.POSITIVE_INFINITY;
  }

  /** Scores from 1 to 99 by threat; undefined if there is no registrable domain. */
  findScores(name: string): ByThreat<number> | undefined {
    const parts = findNameParts(name);
    return parts ? this.scoresOf(parts) : undefined;
  }

  scoresOf(parts: NameParts): ByThreat<number> {
    this.#read(parts);
    return byThreat((threat) => scoreOf(this.model.curves[threat], this.#logOdds(threat)));
  }

  /** The score for one threat, at a fraction of the cost of all. */
  scoreFor(parts: NameParts, threat: Threat): number {
    this.#read(parts);
    return scoreOf(this.model.curves[threat], this.#logOdds(threat));
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
    for (const [feature, part] of byFeature.entries()) added[reasonOf(feature)] += part;
    return { base, added, characterWeights: this.#characterWeights(parts.label.length, threat) };
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
    const logOdds = this.#suffixes[threats.indexOf(threat)] as number;
    return Math.min(this.#suffixMax, trustedLogOdds(this.model.suffixTrust, this.#suffix, logOdds));
  }

  #logOdds(threat: Threat): number {
    return ensembleValue(this.model.trees[threat], this.#binned) + this.#suffixLogOdds(threat);
  }

  #read(parts: NameParts): void {
    const { cells, letters, edges } = this.model;
    this.#grams.read(parts);
    this.#suffix = parts.suffix;
    fillGroupSums(this.#grams, cells, this.#features, this.#suffixes);
    fillForm(this.#features, parts, letters);
    binAll(this.#features, edges, this.#binned);
  }
}
