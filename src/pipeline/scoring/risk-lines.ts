/**
 * Scores as lines of the risk feeds, and which scores qualify for them. The record of a newly discovered domain has no malware and spam
 * scores yet, as the contract requires; a line has all three from the start, by the name.
 */

import type { FeedRecord } from '../../model/feed/feed.ts';
import { lineOf } from '../../model/feed/record-line.ts';
import { secondText } from '../../model/feed/second.ts';
import type { DomainRisk } from '../../model/risk/assessment.ts';
import { findComponent, threatComponent } from '../../model/risk/domain-risk.ts';
import type { RiskScorer } from '../../model/risk/risk-scorer.ts';
import { type ByThreat, byThreat, threats } from '../../model/risk/threat.ts';
import type { Settings } from '../../model/settings/settings.ts';

export type Thresholds = Pick<Settings['risk'], 'domainRiskMin' | 'hotlistProximityMin' | 'hotlistThreatMin'>;

/** The members of a line that are scores. */
export type LineScores = Omit<FeedRecord<'domainrisk'>, 'timestamp' | 'domain'>;

/** Undefined for a zero-listed domain, which is on no risk feed. The overall score is the largest of the others. */
export function findLineScores(
  domain: string,
  risk: DomainRisk,
  { names }: Pick<RiskScorer, 'names'>,
): LineScores | undefined {
  if (findComponent(risk, 'zerolist') !== undefined) return undefined;
  const scores = findThreatScores(domain, risk, names);
  return {
    phishing_risk: scores?.phishing ?? null,
    malware_risk: scores?.malware ?? null,
    spam_risk: scores?.spam ?? null,
    proximity_risk: findComponent(risk, 'proximity') ?? 0,
    overall_risk: Math.max(risk.risk_score, ...(scores ? Object.values(scores) : [])),
  };
}

/** Undefined if one of them is unknown, because they are null together: for a name that is not a registrable domain. */
function findThreatScores(
  domain: string,
  risk: DomainRisk,
  names: RiskScorer['names'],
): ByThreat<number> | undefined {
  const scored = byThreat((threat) => findComponent(risk, threatComponent(threat)));
  const byName = threats.every((threat) => scored[threat] !== undefined) ? scored : names.findScores(domain);
  const scores = byThreat((threat) => scored[threat] ?? byName?.[threat]);
  return threats.every((threat) => scores[threat] !== undefined) ? (scores as ByThreat<number>) : undefined;
}

export function isRisky({ overall_risk }: LineScores, { domainRiskMin }: Thresholds): boolean {
  return overall_risk >= domainRiskMin;
}

export function isHot(scores: LineScores, { hotlistProximityMin, hotlistThreatMin }: Thresholds): boolean {
  const { phishing_risk, malware_risk, spam_risk, proximity_risk } = scores;
  if (proximity_risk >= hotlistProximityMin) return true;
  return [phishing_risk, malware_risk, spam_risk].some((score) => (score ?? -1) >= hotlistThreatMin);
}

export function riskLine(domain: string, scores: LineScores, nowMs: number): string {
  return lineOf('domainrisk', { timestamp: second(nowMs), domain, ...scores });
}

export function hotlistLine(domain: string, scores: LineScores, nowMs: number, expiresMs: number): string {
  const members = { timestamp: second(nowMs), domain, ...scores, expires: second(expiresMs) };
  return lineOf('domainhotlist', members);
}

function second(ms: number): string {
  return secondText(Math.floor(ms / 1000));
}
