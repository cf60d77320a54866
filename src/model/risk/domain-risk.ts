/** Risk in the contract's form: the ordered components of `domain_risk`, and the overall score, which is the maximum of them. */
import type { DomainRisk, RiskStatus } from './assessment.ts';
import { type ByThreat, type Threat, threats } from './threat.ts';

type RiskComponent = DomainRisk['components'][number];

/** The `source` of record updates that carry a score. */
export const riskSource = 'risk';

/** The collector in the provenance of a score: with the version of the scorer, by which scores of an earlier one are found. */
export function scoreCollector(version: number): string {
  return `${riskSource} ${version.toString(16)}`;
}

/** The score from which a threat is listed in the profile; also the threshold of the feed of risky domains. */
export const threatScoreMin = 70;

/** The contract's word for evidence found in the name itself. */
export const nameEvidence = 'domain name';

export function domainRiskOf(components: readonly RiskComponent[]): DomainRisk {
  return {
    risk_score: Math.max(...components.map(({ risk_score }) => risk_score)),
    components: [...components],
  };
}

export const zeroListed: DomainRisk = domainRiskOf([{ name: 'zerolist', risk_score: 0 }]);

export function proximityComponent(score: number): RiskComponent {
  return { name: 'proximity', risk_score: score };
}

/** The threats that are listed in the profile. */
export function foundThreats(scores: Partial<ByThreat<number>>): readonly Threat[] {
  return threats.filter((threat) => (scores[threat] ?? 0) >= threatScoreMin);
}

/** The threat profile, then one component for each threat that was scored. */
export function threatComponents(
  scores: Partial<ByThreat<number>>,
  evidence: readonly string[],
): readonly RiskComponent[] {
  const each = threats
    .toSorted()
    .flatMap((threat): readonly RiskComponent[] =>
      scores[threat] === undefined ? [] : [{ name: threatComponent(threat), risk_score: scores[threat] }],
    );
  if (each.length === 0) return [];
  const profile = {
    name: 'threat_profile',
    risk_score: Math.max(...each.map(({ risk_score }) => risk_score)),
    threats: [...foundThreats(scores)],
    evidence: [...evidence],
  };
  return [profile, ...each];
}

export function threatComponent(threat: Threat): `threat_profile_${Threat}` {
  return `threat_profile_${threat}`;
}

/** A score is full when it includes malware and spam; a zero-listed domain always has a full score. */
export function riskStatusOf(risk: DomainRisk): RiskStatus {
  if (findComponent(risk, 'zerolist') !== undefined) return 'full';
  const isFull = (['malware', 'spam'] as const).every(
    (threat) => findComponent(risk, threatComponent(threat)) !== undefined,
  );
  return isFull ? 'full' : 'provisional';
}

/** The score of one component. */
export function findComponent({ components }: DomainRisk, wanted: string): number | undefined {
  return components.find(({ name }) => name === wanted)?.risk_score;
}
