/**
 * Scores a domain from its facts, and explains the score. A provisional score uses the name and proximity; a full one adds malware and
 * spam, and the facts of the record. Listed domains are not estimated: a list of good domains gives 0, a list of bad ones up to 100.
 */
import type { Assessment, RiskContribution, RiskFacts } from './assessment.ts';
import {
  domainRiskOf,
  foundThreats,
  nameEvidence,
  proximityComponent,
  threatComponent,
  threatComponents,
  zeroListed,
} from './domain-risk.ts';
import { explainName } from './name/explain-name.ts';
import { findNameParts } from './name/name-parts.ts';
import { type Proximity, proximityOf } from './proximity/proximity.ts';
import type { RiskScorer } from './risk-scorer.ts';
import type { ByThreat, Threat } from './threat.ts';
import { badVerdictsOf } from './verdict.ts';
import { findZerolistReason } from './zerolist.ts';

export function assessDomain(facts: RiskFacts, scorer: RiskScorer): Assessment {
  const { domain, status } = facts;
  if (findZerolistReason(facts, scorer.popularRankMax) !== undefined)
    return { domain, status: 'full', risk: zeroListed };
  const scores = threatScoresOf(facts, scorer);
  const risk = domainRiskOf([
    proximityComponent(proximityOfDomain(facts).score),
    ...threatComponents(scores, evidenceOf(facts, scorer, scores)),
  ]);
  return { domain, status, risk };
}

/** The points of each component sum to its score. The profile is the maximum of its threats and has no contributions of its own. */
export function explainDomain(facts: RiskFacts, scorer: RiskScorer): readonly RiskContribution[] {
  const trust = findZerolistReason(facts, scorer.popularRankMax);
  if (trust !== undefined)
    return [{ component: 'zerolist', reason: trust, evidence: nameEvidence, points: 0 }];
  const scored = Object.keys(threatScoresOf(facts, scorer)) as Threat[];
  return [
    ...proximityOfDomain(facts).parts.map((part) => ({ component: 'proximity', ...part })),
    ...scored
      .toSorted()
      .flatMap((threat) =>
        threatPartsOf(facts, scorer, threat).map((part) => ({ component: threatComponent(threat), ...part })),
      ),
  ];
}

/** The proximity of a listed domain is the weight of its list, unless its links give more. */
function proximityOfDomain({ verdicts, links }: RiskFacts): Proximity {
  const near = proximityOf(links);
  const [listed] = badVerdictsOf(verdicts).toSorted((a, b) => b.weight - a.weight);
  if (!listed) return near;
  const points = Math.round(100 * listed.weight);
  if (points <= near.score) return near;
  const reason = `list ${listed.list} (${listed.label})`;
  return { score: points, parts: [{ reason, evidence: nameEvidence, points }] };
}

/** Empty for a name that is not a registrable domain. */
function threatScoresOf(facts: RiskFacts, { names, records }: RiskScorer): Partial<ByThreat<number>> {
  const parts = findNameParts(facts.domain);
  if (!parts) return {};
  const { record, status, nowMs } = facts;
  if (status === 'provisional') return { phishing: names.scoreFor(parts, 'phishing') };
  return records
    ? records.scoresOf(names.logOddsOf(parts), record ?? { domain: facts.domain }, nowMs)
    : names.scoresOf(parts);
}

type ThreatPart = Omit<RiskContribution, 'component'>;

function threatPartsOf(facts: RiskFacts, scorer: RiskScorer, threat: Threat): readonly ThreatPart[] {
  const parts = findNameParts(facts.domain);
  if (!parts) return [];
  const { record, status, nowMs } = facts;
  const { names, records } = scorer;
  if (status === 'full' && records)
    return records.explain(names.logOddsOf(parts), record ?? { domain: facts.domain }, nowMs, threat);
  return explainName(names, parts, threat).contributions.map(({ reason, texts, points }) => ({
    reason: reason === 'base' ? 'any name' : texts ? `${reason}: ${texts.join(', ')}` : reason,
    evidence: reason === 'base' ? undefined : nameEvidence,
    points,
  }));
}

/** The minimum points for a word to count as evidence. */
const evidencePointsMin = 2;

/** The evidence for the threats that were found, the strongest first; the name counts if nothing else does. */
function evidenceOf(
  facts: RiskFacts,
  scorer: RiskScorer,
  scores: Partial<ByThreat<number>>,
): readonly string[] {
  const found = foundThreats(scores);
  const pointsByWord = new Map<string, number>(found.length > 0 ? [[nameEvidence, 0]] : []);
  for (const threat of found) {
    for (const { evidence, points } of threatPartsOf(facts, scorer, threat)) {
      if (evidence === undefined || points < evidencePointsMin) continue;
      pointsByWord.set(evidence, Math.max(points, pointsByWord.get(evidence) ?? 0));
    }
  }
  const words = [...pointsByWord].sort(([, a], [, b]) => b - a);
  return words.filter(([, points], index) => index === 0 || points > 0).map(([word]) => word);
}
