/** Risk in the contract's form: the components of `domain_risk`, in their order, and the overall score, which is the largest of them. */
import type { DomainRisk, RiskStatus } from './assessment.ts';
import { type ByThreat, type Threat, threats } from './threat.ts';

type RiskComponent = DomainRisk['components'][number];

/** From here on a threat is told by its name; the feed of risky domains begins there too. */
export const threatScoreMin = 70;

/** The contract's word for what a name says of itself. */
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

/** Threats that are told by their name. */
export function foundThreats(scores: Partial<ByThreat<number>>): readonly Threat[] {
  return threats.filter((threat) => (scores[threat] ?? 0) >= threatScoreMin);
}

/** The profile of all threats that were scored, then each of them. */
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

/** A score is full when malware and spam are in it; one that is zero by decree is full from the beginning. */
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
