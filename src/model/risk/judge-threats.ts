/** The scores of a domain for each threat, from its name and, in a full score, from the facts of its record. */
import type { RiskContribution, RiskFacts } from './assessment.ts';
import { nameEvidence } from './domain-risk.ts';
import { explainName } from './name/explain-name.ts';
import { findNameParts, type NameParts } from './name/name-parts.ts';
import type { NameScorer } from './name/name-scorer.ts';
import { recordFacts } from './record/record-facts.ts';
import type { RiskScorer } from './risk-scorer.ts';
import type { ByThreat, Threat } from './threat.ts';

export type ThreatPart = Omit<RiskContribution, 'component'>;

export interface ThreatJudgement {
  readonly scores: Partial<ByThreat<number>>;
  /** Their points sum to the score of the threat. */
  readonly partsOf: (threat: Threat) => readonly ThreatPart[];
}

const none: ThreatJudgement = { scores: {}, partsOf: () => [] };

/** Without scores for a name that is not a registrable domain. */
export function judgeThreats(
  { domain, record, status, nowMs }: RiskFacts,
  { names, records }: RiskScorer,
): ThreatJudgement {
  const parts = findNameParts(domain);
  if (!parts) return none;
  const partsOf = (threat: Threat) => namePartsOf(names, parts, threat);
  if (status === 'provisional') return { scores: { phishing: names.scoreFor(parts, 'phishing') }, partsOf };
  const facts = record && records ? recordFacts(record, nowMs) : [];
  // Nothing was collected: the score is that of the name.
  if (!records || facts.length === 0) return { scores: names.scoresOf(parts), partsOf };
  const shares = names.sharesOf(parts);
  return {
    scores: records.scoresOf(shares, facts),
    partsOf: (threat) => [...partsOf(threat), ...records.explain(shares, facts, threat)],
  };
}

function namePartsOf(names: NameScorer, parts: NameParts, threat: Threat): readonly ThreatPart[] {
  return explainName(names, parts, threat).contributions.map(({ reason, texts, points }) => ({
    code: reason,
    reason: reason === 'base' ? 'any name' : reason,
    ...(texts ? { value: texts.join(', ') } : {}),
    evidence: reason === 'base' ? undefined : nameEvidence,
    points,
  }));
}
