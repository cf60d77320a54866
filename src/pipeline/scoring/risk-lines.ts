/** Scores as lines of the risk feeds, and which scores qualify for them. */

import type { FeedRecord } from '../../model/feed/feed.ts';
import { lineOf } from '../../model/feed/record-line.ts';
import { secondText } from '../../model/feed/second.ts';
import type { DomainRisk } from '../../model/risk/assessment.ts';
import { findComponent, riskStatusOf, threatComponent } from '../../model/risk/domain-risk.ts';
import { type Threat, threats } from '../../model/risk/threat.ts';
import type { Settings } from '../../model/settings/settings.ts';

export type Thresholds = Pick<Settings['risk'], 'domainRiskMin' | 'hotlistProximityMin' | 'hotlistThreatMin'>;

export function isRisky(risk: DomainRisk, { domainRiskMin }: Thresholds): boolean {
  return findComponent(risk, 'zerolist') === undefined && risk.risk_score >= domainRiskMin;
}

export function isHot(risk: DomainRisk, { hotlistProximityMin, hotlistThreatMin }: Thresholds): boolean {
  const proximity = findComponent(risk, 'proximity');
  if (proximity !== undefined && proximity >= hotlistProximityMin) return true;
  return threats.some((threat) => (findComponent(risk, threatComponent(threat)) ?? -1) >= hotlistThreatMin);
}

export function riskLine(domain: string, risk: DomainRisk, nowMs: number): string {
  return lineOf('domainrisk', { timestamp: second(nowMs), domain, ...scoresOf(risk) });
}

export function hotlistLine(domain: string, risk: DomainRisk, nowMs: number, expiresMs: number): string {
  const members = { timestamp: second(nowMs), domain, ...scoresOf(risk), expires: second(expiresMs) };
  return lineOf('domainhotlist', members);
}

type Scores = Omit<FeedRecord<'domainrisk'>, 'timestamp' | 'domain'>;

/** Threat scores are null until the score is full. */
export function scoresOf(risk: DomainRisk): Scores {
  const isFull = riskStatusOf(risk) === 'full';
  const scoreOf = (threat: Threat) => (isFull ? findComponent(risk, threatComponent(threat)) : null) ?? null;
  return {
    phishing_risk: scoreOf('phishing'),
    malware_risk: scoreOf('malware'),
    spam_risk: scoreOf('spam'),
    proximity_risk: findComponent(risk, 'proximity') ?? 0,
    overall_risk: risk.risk_score,
  };
}

function second(ms: number): string {
  return secondText(Math.floor(ms / 1000));
}
