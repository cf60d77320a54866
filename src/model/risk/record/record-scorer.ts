/**
 * Scores records: starts from the score of the name, and adds the bounded weights of the record's facts. A record without facts, or with
 * facts that say nothing, has the score of its name.
 */
import type { RiskReason } from '../risk-reason.ts';
import { logitPerLogOdds, scoreOfShare } from '../score-scale.ts';
import { type ByThreat, byThreat, type Threat } from '../threat.ts';
import { limitedWeight, limitSums } from './fact-limits.ts';
import { type RecordFact, reasonOf } from './record-fact.ts';
import type { RecordModel } from './record-model.ts';

export interface RecordContribution extends RiskReason {
  /** The contract's word for such evidence. */
  readonly evidence: string;
  readonly points: number;
}

const shareMin = 0.005;

/** Facts that have a weight, and its index. */
interface KnownFacts {
  readonly facts: readonly RecordFact[];
  readonly indexes: readonly number[];
}

export class RecordScorer {
  readonly model: RecordModel;
  readonly #factIndexes: ReadonlyMap<string, number>;
  /** Bounded, in the order of the model's facts. */
  readonly #weights: ByThreat<readonly number[]>;

  constructor(model: RecordModel) {
    this.model = model;
    this.#factIndexes = new Map(model.facts.map((fact, index) => [fact, index]));
    this.#weights = byThreat((threat) =>
      model.facts.map((fact, index) => limitedWeight(fact, model.weights[threat][index] as number)),
    );
  }

  /** Scores from 1 to 99 by threat; `names` are the scores of the name from 0 to 1. */
  scoresOf(names: ByThreat<number>, facts: readonly RecordFact[]): ByThreat<number> {
    const logits = this.logitsOf(names, facts);
    return byThreat((threat) => scoreOfLogit(logits[threat]));
  }

  /** The logits of the scores: finer than scores, to rank records. */
  logitsOf(names: ByThreat<number>, facts: readonly RecordFact[]): ByThreat<number> {
    const known = this.#knownOf(facts);
    return byThreat((threat) => {
      let logit = logitOf(names[threat]);
      for (const logOdds of this.#logOddsOf(known, threat)) logit += logitPerLogOdds * logOdds;
      return logit;
    });
  }

  /**
   * The contributions of the facts to the score for a threat. Points are the increments of the score as the facts are added one by one, the
   * strongest first; so they are integers that sum to the difference from the score of the name. Facts without an increment are omitted.
   */
  explain(
    names: ByThreat<number>,
    facts: readonly RecordFact[],
    threat: Threat,
  ): readonly RecordContribution[] {
    const known = this.#knownOf(facts);
    const logOddsOfAll = this.#logOddsOf(known, threat);
    const weighted = known.facts
      .map((fact, at) => ({ fact, logOdds: logOddsOfAll[at] as number }))
      .sort((a, b) => Math.abs(b.logOdds) - Math.abs(a.logOdds));
    // As `logitsOf` adds it up: in another order the floating-point sum might differ.
    const whole = this.logitsOf(names, facts)[threat];
    let logit = logitOf(names[threat]);
    let score = scoreOfShare(names[threat]);
    const contributions: RecordContribution[] = [];
    for (const [at, { fact, logOdds }] of weighted.entries()) {
      logit = at === weighted.length - 1 ? whole : logit + logitPerLogOdds * logOdds;
      const points = scoreOfLogit(logit) - score;
      score += points;
      if (points !== 0) contributions.push({ ...reasonOf(fact), evidence: fact.evidence, points });
    }
    return contributions;
  }

  #knownOf(facts: readonly RecordFact[]): KnownFacts {
    const known: { readonly facts: RecordFact[]; readonly indexes: number[] } = { facts: [], indexes: [] };
    for (const fact of facts) {
      const index = this.#factIndexes.get(fact.fact);
      if (index === undefined) continue;
      known.facts.push(fact);
      known.indexes.push(index);
    }
    return known;
  }

  #logOddsOf({ facts, indexes }: KnownFacts, threat: Threat): readonly number[] {
    const weights = this.#weights[threat];
    const logOdds = indexes.map((index) => weights[index] as number);
    limitSums(facts, logOdds);
    return logOdds;
  }
}

function logitOf(share: number): number {
  const bounded = Math.max(shareMin, Math.min(1 - shareMin, share));
  return Math.log(bounded / (1 - bounded));
}

/** Added before rounding: the way to the logit and back must not lose a point. */
const roundingMargin = 1e-9;

function scoreOfLogit(logit: number): number {
  return scoreOfShare(1 / (1 + Math.exp(-logit)) + roundingMargin);
}
