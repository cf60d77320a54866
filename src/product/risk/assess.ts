/**
 * The risk of a domain for all products. A stored score is returned as it is, so that all products agree; an unknown domain is scored on
 * demand. Evidence is always computed on demand, and may be newer than the stored score.
 */
import { fieldProblem } from '../../model/problem.ts';
import { findDomainName, notDomainName } from '../../model/record/requested-domains.ts';
import { assessDomain, explainDomain } from '../../model/risk/assess-domain.ts';
import type { Assessment, DomainRisk, RiskContribution, RiskFacts } from '../../model/risk/assessment.ts';
import { findComponent } from '../../model/risk/domain-risk.ts';
import { findNameParts } from '../../model/risk/name/name-parts.ts';
import type { RiskScorer } from '../../model/risk/risk-scorer.ts';
import { gatherRiskFacts, type RiskFactsNeeds } from '../../store/gather-risk-facts.ts';

export interface AssessNeeds extends RiskFactsNeeds {
  /** With its model loaded, which takes time at the first use. */
  readonly riskScorer: () => RiskScorer | Promise<RiskScorer>;
}

export interface ExplainedAssessment extends Assessment {
  readonly contributions: readonly RiskContribution[];
}

/** The registrable domain of a name. */
export function getScoredDomain(field: string, name: string): string {
  const host = findDomainName(name);
  const parts = host === undefined ? undefined : findNameParts(host);
  if (!parts) throw fieldProblem('invalid-parameters', field, notRegistrable(name));
  return parts.domain;
}

/** A top-level domain is no registrable one, nor is any other public suffix. */
function notRegistrable(name: string): string {
  const isSuffix = findDomainName(name) !== undefined || /^[\p{L}\p{N}-]+$/u.test(name);
  return isSuffix ? 'must be a registrable domain' : notDomainName(name);
}

export async function assess(domain: string, needs: AssessNeeds, nowMs: number): Promise<Assessment> {
  const [facts] = (await gatherFacts([domain], needs, nowMs)) as readonly [RiskFacts];
  const assessed = assessDomain(facts, await needs.riskScorer());
  const kept = facts.record?.domain_risk;
  return kept && isCurrent(kept, assessed.risk) ? { ...assessed, risk: kept } : assessed;
}

/** In the order of `domains`. */
export async function explain(
  domains: readonly string[],
  needs: AssessNeeds,
  nowMs: number,
): Promise<readonly ExplainedAssessment[]> {
  const scorer = await needs.riskScorer();
  const all = await gatherFacts(domains, needs, nowMs);
  return all.map((facts) => ({
    ...assessDomain(facts, scorer),
    contributions: explainDomain(facts, scorer),
  }));
}

/** A domain that was never discovered is not new but unknown: all that its name says counts at once, as on the command line. */
async function gatherFacts(
  domains: readonly string[],
  needs: AssessNeeds,
  nowMs: number,
): Promise<readonly RiskFacts[]> {
  const all = await gatherRiskFacts(domains, needs, nowMs);
  return all.map((facts) =>
    facts.record === undefined && facts.seenMs === undefined ? { ...facts, status: 'full' } : facts,
  );
}

/** Whether the stored score has the components of a new one and the same proximity score. */
function isCurrent(kept: DomainRisk, now: DomainRisk): boolean {
  const names = ({ components }: DomainRisk) => components.map(({ name }) => name).join();
  return names(kept) === names(now) && findComponent(kept, 'proximity') === findComponent(now, 'proximity');
}
