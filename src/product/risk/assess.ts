/**
 * The risk of a domain for whoever asks. What was scored before is answered as it is kept, so that all products say the same; a domain that
 * nobody knows is scored on the spot. Evidence is worked out whenever it is asked for, and may be ahead of what is kept.
 */

import { fieldProblem } from '../../model/problem.ts';
import { inForm } from '../../model/record/text-forms.ts';
import { assessDomain, explainDomain } from '../../model/risk/assess-domain.ts';
import type { Assessment, DomainRisk, RiskContribution, RiskFacts } from '../../model/risk/assessment.ts';
import { findComponent } from '../../model/risk/domain-risk.ts';
import { findNameParts } from '../../model/risk/name-parts.ts';
import type { RiskScorer } from '../../model/risk/risk-scorer.ts';
import { gatherRiskFacts, type RiskFactsNeeds } from '../../store/risk-facts.ts';

export interface AssessNeeds extends RiskFactsNeeds {
  /** A model takes its time to be read, so whoever never asks does without. */
  readonly riskScorer: () => RiskScorer;
}

export interface ExplainedAssessment extends Assessment {
  readonly contributions: readonly RiskContribution[];
}

/** The domain that a name belongs to. */
export function getScoredDomain(field: string, name: string): string {
  const host = inForm('host', name);
  const parts = 'text' in host ? findNameParts(host.text) : undefined;
  if (!parts) throw fieldProblem('invalid-parameters', field, 'must be a domain that can be registered');
  return parts.domain;
}

export async function assess(domain: string, needs: AssessNeeds, nowMs: number): Promise<Assessment> {
  const [facts] = (await gatherRiskFacts([domain], needs, nowMs)) as readonly [RiskFacts];
  const assessed = assessDomain(facts, needs.riskScorer());
  const kept = facts.record?.domain_risk;
  return kept && isCurrent(kept, assessed.risk) ? { ...assessed, risk: kept } : assessed;
}

/** In the order asked for. */
export async function explain(
  domains: readonly string[],
  needs: AssessNeeds,
  nowMs: number,
): Promise<readonly ExplainedAssessment[]> {
  const scorer = needs.riskScorer();
  const all = await gatherRiskFacts(domains, needs, nowMs);
  return all.map((facts) => ({
    ...assessDomain(facts, scorer),
    contributions: explainDomain(facts, scorer),
  }));
}

/** As long as it has the components that it should have now, and the neighbourhood is as bad as it was. */
function isCurrent(kept: DomainRisk, now: DomainRisk): boolean {
  const names = ({ components }: DomainRisk) => components.map(({ name }) => name).join();
  return names(kept) === names(now) && findComponent(kept, 'proximity') === findComponent(now, 'proximity');
}
