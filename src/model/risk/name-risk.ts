/** The risk of a name in the contract's form: the components of `domain_risk` that a name alone can give. */
import { type ByThreat, byThreat, type Threat, threats } from './threat.ts';

export interface RiskComponent {
  readonly name: 'threat_profile' | `threat_profile_${Threat}`;
  readonly risk_score: number;
  readonly threats?: readonly Threat[];
  readonly evidence?: readonly string[];
}

export interface NameRisk {
  readonly riskScore: number;
  readonly components: readonly RiskComponent[];
  readonly evidence: readonly string[];
}

/** The contract's word for what a name says of itself. */
export const nameEvidence = 'domain name';
/** From here on a threat is told by its name; the feed of risky domains begins there too. */
export const threatScoreMin = 70;

export function nameRiskOf(scores: ByThreat<number>): NameRisk {
  const riskScore = Math.max(...threats.map((threat) => scores[threat]));
  const found = threats.filter((threat) => scores[threat] >= threatScoreMin);
  const evidence = found.length > 0 ? [nameEvidence] : [];
  const each = byThreat((threat) => ({
    name: `threat_profile_${threat}` as const,
    risk_score: scores[threat],
  }));
  return {
    riskScore,
    components: [
      { name: 'threat_profile', risk_score: riskScore, threats: found, evidence },
      each.malware,
      each.phishing,
      each.spam,
    ],
    evidence,
  };
}
