/** Scores for domains whose records have none yet, shown before the record is written. */
import type { Clock } from '../../model/clock.ts';
import type { DomainRisk } from '../../model/risk/assessment.ts';
import type { RiskScorer } from '../../model/risk/risk-scorer.ts';
import { gatherRiskFacts, type RiskFactsNeeds } from '../../store/gather-risk-facts.ts';
import { assessAll } from './score-domains.ts';

export interface AssessNeeds extends RiskFactsNeeds {
  readonly scorer: RiskScorer;
  readonly clock: Clock;
}

/** In the order of `domains`. */
export async function assessUnscored(
  domains: readonly string[],
  needs: AssessNeeds,
): Promise<readonly DomainRisk[]> {
  const all = await gatherRiskFacts(domains, needs, needs.clock.now());
  return (await assessAll(all, needs.scorer)).map(({ risk }) => risk);
}
