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
import { judgeThreats, type ThreatJudgement } from './judge-threats.ts';
import { type Proximity, proximityOf } from './proximity/proximity.ts';
import type { RiskScorer } from './risk-scorer.ts';
import type { Threat } from './threat.ts';
import { badVerdictsOf } from './verdict.ts';
import { findZerolistReason } from './zerolist.ts';

export function assessDomain(facts: RiskFacts, scorer: RiskScorer): Assessment {
  const { domain, status } = facts;
  if (findZerolistReason(facts, scorer) !== undefined) return { domain, status: 'full', risk: zeroListed };
  const judged = judgeThreats(facts, scorer);
  const risk = domainRiskOf([
    proximityComponent(proximityOfDomain(facts).score),
    ...threatComponents(judged.scores, evidenceOf(judged)),
  ]);
  return { domain, status, risk };
}

/** What is known about a domain of which only the name is known. */
export function nameFacts(domain: string): RiskFacts {
  return {
    domain,
    record: undefined,
    verdicts: [],
    links: [],
    seenMs: undefined,
    // The contract defers malware and spam for newly discovered domains only.
    status: 'full',
    nowMs: 0,
  };
}

export function assessName(domain: string, scorer: RiskScorer): Assessment {
  return assessDomain(nameFacts(domain), scorer);
}

/** The points of each component sum to its score. The profile is the maximum of its threats and has no contributions of its own. */
export function explainDomain(facts: RiskFacts, scorer: RiskScorer): readonly RiskContribution[] {
  const trust = findZerolistReason(facts, scorer);
  if (trust) return [{ component: 'zerolist', ...trust, evidence: nameEvidence, points: 0 }];
  const { scores, partsOf } = judgeThreats(facts, scorer);
  const scored = Object.keys(scores) as Threat[];
  return [
    ...proximityOfDomain(facts).parts.map((part) => ({ component: 'proximity', ...part })),
    ...scored
      .toSorted()
      .flatMap((threat) => partsOf(threat).map((part) => ({ component: threatComponent(threat), ...part }))),
  ];
}

/** The proximity of a listed domain is the weight of its list, unless its links give more. */
function proximityOfDomain({ verdicts, links }: RiskFacts): Proximity {
  const near = proximityOf(links);
  const [listed] = badVerdictsOf(verdicts).toSorted((a, b) => b.weight - a.weight);
  if (!listed) return near;
  const points = Math.round(100 * listed.weight);
  if (points <= near.score) return near;
  const reason = { code: 'listed', reason: `on a list of ${listed.label} domains`, value: listed.list };
  return { score: points, parts: [{ ...reason, evidence: nameEvidence, points }] };
}

/** The minimum points for a word to count as evidence. */
const evidencePointsMin = 2;

/** The evidence for the threats that were found, the strongest first; the name counts if nothing else does. */
function evidenceOf({ scores, partsOf }: ThreatJudgement): readonly string[] {
  const found = foundThreats(scores);
  const pointsByWord = new Map<string, number>(found.length > 0 ? [[nameEvidence, 0]] : []);
  for (const threat of found) {
    for (const { evidence, points } of partsOf(threat)) {
      if (evidence === undefined || points < evidencePointsMin) continue;
      pointsByWord.set(evidence, Math.max(points, pointsByWord.get(evidence) ?? 0));
    }
  }
  const words = [...pointsByWord].sort(([, a], [, b]) => b - a);
  return words.filter(([, points], index) => index === 0 || points > 0).map(([word]) => word);
}
