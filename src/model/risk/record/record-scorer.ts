/** Scores records: adds the weights of a record's facts to the weighted log-odds of its name (logistic regression). */
import type { DomainRecord } from '../../record/domain-record.ts';
import { nameEvidence } from '../domain-risk.ts';
import { scoreOf } from '../name/calibration-curve.ts';
import { type ByThreat, byThreat, type Threat } from '../threat.ts';
import { recordFacts } from './record-facts.ts';
import type { RecordModel } from './record-model.ts';

export interface RecordContribution {
  /** The contract's word for such evidence; undefined for the base value that every domain has. */
  readonly evidence: string | undefined;
  readonly reason: string;
  readonly points: number;
}

/** A name alone is never proof, so its log-odds are capped. */
const nameLogOddsMax = 8;

export class RecordScorer {
  readonly model: RecordModel;
  readonly #factIndexes: ReadonlyMap<string, number>;

  constructor(model: RecordModel) {
    this.model = model;
    this.#factIndexes = new Map(model.facts.map((fact, index) => [fact, index]));
  }

  /** Scores from 1 to 99 by threat. */
  scoresOf(nameLogOdds: ByThreat<number>, record: DomainRecord, nowMs: number): ByThreat<number> {
    const logOdds = this.logOddsOf(nameLogOdds, record, nowMs);
    return byThreat((threat) => scoreOf(this.model.threats[threat].curve, logOdds[threat]));
  }

  /** The uncalibrated log-odds: finer than scores, to rank records. */
  logOddsOf(nameLogOdds: ByThreat<number>, record: DomainRecord, nowMs: number): ByThreat<number> {
    const indexes: number[] = [];
    for (const { fact } of recordFacts(record, nowMs)) {
      const index = this.#factIndexes.get(fact);
      if (index !== undefined) indexes.push(index);
    }
    return byThreat((threat) => {
      const { base, factWeights } = this.model.threats[threat];
      let sum = base + this.#nameContribution(nameLogOdds, threat);
      for (const index of indexes) sum += factWeights[index] as number;
      return sum;
    });
  }

  /**
   * Explains the score for a threat. Points are the increments of the score as the reasons are added one by one, the strongest first;
   * so they are integers that sum to the score. Reasons without an increment are omitted.
   */
  explain(
    nameLogOdds: ByThreat<number>,
    record: DomainRecord,
    nowMs: number,
    threat: Threat,
  ): readonly RecordContribution[] {
    const { base, factWeights, curve } = this.model.threats[threat];
    const added = recordFacts(record, nowMs).map(({ evidence, fact }) => {
      const index = this.#factIndexes.get(fact);
      return { evidence, reason: fact, logOdds: index === undefined ? 0 : (factWeights[index] as number) };
    });
    const reasons = [
      { evidence: nameEvidence, reason: nameEvidence, logOdds: this.#nameContribution(nameLogOdds, threat) },
      ...added,
    ].sort((a, b) => Math.abs(b.logOdds) - Math.abs(a.logOdds));
    // As `logOddsOf` adds it up: in another order the floating-point sum might differ.
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

  #nameContribution(nameLogOdds: ByThreat<number>, threat: Threat): number {
    const bounded = Math.max(-nameLogOddsMax, Math.min(nameLogOddsMax, nameLogOdds[threat]));
    return this.model.threats[threat].nameWeight * bounded;
  }
}
