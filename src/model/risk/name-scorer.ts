/** Scores names by a model. One scorer reads one name at a time, many thousands a second. */
import { binAll } from './feature-bins.ts';
import { labelShare, putGroupSums } from './group-sums.ts';
import { featureCount, fillForm, type Reason, reasonOf } from './name-features.ts';
import { NameGrams } from './name-grams.ts';
import { findNameParts, type NameParts } from './name-parts.ts';
import type { RiskModel } from './risk-model.ts';
import { scoreOf } from './score-curve.ts';
import { trustedLogOdds } from './suffix-trust.ts';
import { type ByThreat, byThreat, type Threat, threats } from './threat.ts';
import { partsOf, valueOf } from './tree-ensemble.ts';

/** Log-odds in parts: what all names have, and what each reason added. */
export interface LogOddsParts {
  readonly base: number;
  readonly added: Readonly<Record<Reason, number>>;
  /** How much each character of the label speaks for the threat. */
  readonly heat: Float64Array;
}

export interface NameScorerOptions {
  /**
   * There are countries of which a model knows bad names and few ordinary ones, so that it takes their suffixes for bad signs. Where
   * scores decide what others are told, no suffix speaks for a threat by more than a generic one may.
   */
  readonly doubtsSuffixes?: boolean;
}

export class NameScorer {
  readonly model: RiskModel;
  readonly #grams = new NameGrams();
  readonly #features = new Float32Array(featureCount);
  readonly #binned = new Uint8Array(featureCount);
  readonly #suffixes = new Float32Array(threats.length);
  readonly #suffixMax: number;
  #suffix = '';

  constructor(model: RiskModel, { doubtsSuffixes = false }: NameScorerOptions = {}) {
    this.model = model;
    this.#suffixMax = doubtsSuffixes ? model.suffixTrust.genericMax : Number.POSITIVE_INFINITY;
  }

  /** Scores from 1 to 99 by threat; undefined for what nobody can register. */
  findScores(name: string): ByThreat<number> | undefined {
    const parts = findNameParts(name);
    return parts ? this.scoresOf(parts) : undefined;
  }

  scoresOf(parts: NameParts): ByThreat<number> {
    this.#read(parts);
    return byThreat((threat) => scoreOf(this.model.curves[threat], this.#logOdds(threat)));
  }

  /** The score for one threat, for a fraction of the work of all. */
  scoreFor(parts: NameParts, threat: Threat): number {
    this.#read(parts);
    return scoreOf(this.model.curves[threat], this.#logOdds(threat));
  }

  /** What scores are made from: finer than they are, to rank names. */
  logOddsOf(parts: NameParts): ByThreat<number> {
    this.#read(parts);
    return byThreat((threat) => this.#logOdds(threat));
  }

  /** The log-odds of one threat in parts that sum to it. */
  partsOf(parts: NameParts, threat: Threat): LogOddsParts {
    this.#read(parts);
    const { base, parts: byFeature } = partsOf(this.model.trees[threat], this.#binned, featureCount);
    const added = { words: 0, form: 0, suffix: this.#suffixLogOdds(threat) };
    for (const [feature, part] of byFeature.entries()) added[reasonOf(feature)] += part;
    return { base, added, heat: this.#heat(parts.label.length, threat) };
  }

  /** Each run of characters shares what it says among them. */
  #heat(length: number, threat: Threat): Float64Array {
    const { values, placeBits, step } = this.model.cells;
    const { buckets, ends, places, lengths } = this.#grams;
    const heat = new Float64Array(length);
    const place = threats.indexOf(threat);
    const share = labelShare(this.#grams) * step;
    const mask = (values.length >> placeBits) - 1;
    for (let at = 0; at < (ends[1] as number); at += 1) {
      const cell = ((buckets[at] as number) & mask) << placeBits;
      const weight = (values[cell + place] as number) * share;
      const run = lengths[at] as number;
      // The text begins with a mark for the edge of the label.
      const first = (places[at] as number) - 1;
      for (let to = Math.max(0, first); to < Math.min(length, first + run); to += 1)
        heat[to] = (heat[to] as number) + weight / run;
    }
    return heat;
  }

  #suffixLogOdds(threat: Threat): number {
    const said = this.#suffixes[threats.indexOf(threat)] as number;
    return Math.min(this.#suffixMax, trustedLogOdds(this.model.suffixTrust, this.#suffix, said));
  }

  #logOdds(threat: Threat): number {
    return valueOf(this.model.trees[threat], this.#binned) + this.#suffixLogOdds(threat);
  }

  #read(parts: NameParts): void {
    const { cells, letters, edges } = this.model;
    this.#grams.read(parts);
    this.#suffix = parts.suffix;
    putGroupSums(this.#grams, cells, this.#features, this.#suffixes);
    fillForm(this.#features, parts, letters);
    binAll(this.#features, edges, this.#binned);
  }
}
