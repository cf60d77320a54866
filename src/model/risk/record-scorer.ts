/** Scores records by a model: what the name says, and what each fact adds to it or takes away. */
import type { DomainRecord } from '../record/domain-record.ts';
import { nameEvidence } from './domain-risk.ts';
import { recordFacts } from './record-features.ts';
import type { RecordModel } from './record-model.ts';
import { scoreOf } from './score-curve.ts';
import { type ByThreat, byThreat, type Threat } from './threat.ts';

export interface RecordContribution {
  /** The contract's word for such evidence; undefined for what every domain has. */
  readonly evidence: string | undefined;
  readonly reason: string;
  readonly points: number;
}

/** A name alone is never proof, whatever it says. */
const nameLogOddsMax = 8;

export class RecordScorer {
  readonly model: RecordModel;
  readonly #places: ReadonlyMap<string, number>;

  constructor(model: RecordModel) {
    this.model = model;
    this.#places = new Map(model.facts.map((fact, place) => [fact, place]));
  }

  /** Scores from 1 to 99 by threat. */
  scoresOf(nameLogOdds: ByThreat<number>, record: DomainRecord, nowMs: number): ByThreat<number> {
    const logOdds = this.logOddsOf(nameLogOdds, record, nowMs);
    return byThreat((threat) => scoreOf(this.model.threats[threat].curve, logOdds[threat]));
  }

  /** What scores are made from: finer than they are, to rank records. */
  logOddsOf(nameLogOdds: ByThreat<number>, record: DomainRecord, nowMs: number): ByThreat<number> {
    const places: number[] = [];
    for (const { fact } of recordFacts(record, nowMs)) {
      const place = this.#places.get(fact);
      if (place !== undefined) places.push(place);
    }
    return byThreat((threat) => {
      const { base, factWeights } = this.model.threats[threat];
      let sum = base + this.#nameAdds(nameLogOdds, threat);
      for (const place of places) sum += factWeights[place] as number;
      return sum;
    });
  }

  /**
   * Why a record has its score for a threat. Points are the steps of the score as one reason after another is added, the strongest
   * first, so they are whole numbers and their sum is the score. What makes no step is left out.
   */
  explain(
    nameLogOdds: ByThreat<number>,
    record: DomainRecord,
    nowMs: number,
    threat: Threat,
  ): readonly RecordContribution[] {
    const { base, factWeights, curve } = this.model.threats[threat];
    const added = recordFacts(record, nowMs).map(({ evidence, fact }) => {
      const place = this.#places.get(fact);
      return { evidence, reason: fact, logOdds: place === undefined ? 0 : (factWeights[place] as number) };
    });
    const reasons = [
      { evidence: nameEvidence, reason: nameEvidence, logOdds: this.#nameAdds(nameLogOdds, threat) },
      ...added,
    ].sort((a, b) => Math.abs(b.logOdds) - Math.abs(a.logOdds));
    // The sum as `logOddsOf` makes it: in another order its last digits might differ.
    const whole = this.logOddsOf(nameLogOdds, record, nowMs)[threat];
    let [logOdds, score] = [base, scoreOf(curve, base)];
    const contributions: RecordContribution[] = [
      { evidence: undefined, reason: 'any domain', points: score },
    ];
    for (const [at, { evidence, reason, logOdds: more }] of reasons.entries()) {
      logOdds = at === reasons.length - 1 ? whole : logOdds + more;
      const points = scoreOf(curve, logOdds) - score;
      score += points;
      if (points !== 0) contributions.push({ evidence, reason, points });
    }
    return contributions;
  }

  #nameAdds(nameLogOdds: ByThreat<number>, threat: Threat): number {
    const bounded = Math.max(-nameLogOddsMax, Math.min(nameLogOddsMax, nameLogOdds[threat]));
    return this.model.threats[threat].nameWeight * bounded;
  }
}
