/** Formats the risk of one name, scored by the name alone, as a JSON line and as text for a terminal. */
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import { assessName, explainDomain, nameFacts } from '../../model/risk/assess-domain.ts';
import { findComponent, threatComponent } from '../../model/risk/domain-risk.ts';
import { type Contribution, explainName } from '../../model/risk/name/explain-name.ts';
import { findNameParts } from '../../model/risk/name/name-parts.ts';
import type { RiskScorer } from '../../model/risk/risk-scorer.ts';
import { byThreat, threats } from '../../model/risk/threat.ts';
import { findZerolistReason } from '../../model/risk/zerolist.ts';
import { colouredScore, reasonText, signedPoints, titleOf } from './risk-text.ts';

export function riskLine(scorer: RiskScorer, domain: string, withReasons: boolean): string {
  const { risk } = assessName(domain, scorer);
  // Nothing is known about neighbours, so nothing is said about them.
  const components = risk.components.filter(({ name }) => name !== 'proximity');
  return JSON.stringify({
    domain,
    risk_score: risk.risk_score,
    components,
    evidence: components.flatMap(({ evidence = [] }) => evidence),
    ...(withReasons ? { contributions: contributionsOf(scorer, domain) } : {}),
  });
}

function contributionsOf(scorer: RiskScorer, domain: string): object {
  const trust = findZerolistReason(nameFacts(domain), scorer);
  if (trust) return { zerolist: [{ reason: trust.reason, points: 0 }] };
  const parts = findNameParts(domain);
  return !parts
    ? {}
    : byThreat((threat) => explainName(scorer.names, parts, threat).contributions.map(onLine));
}

function onLine({ reason, logOdds, points, texts }: Contribution) {
  return { reason, points, log_odds: Number(logOdds.toFixed(3)), ...(texts ? { texts } : {}) };
}

/** The scores of all threats, and the reasons for the highest. Control characters are escaped. */
export function riskText(scorer: RiskScorer, domain: string): string {
  const { risk } = assessName(domain, scorer);
  const head = `${colouredScore(risk.risk_score, 3)}  ${titleOf(domain)}`;
  const contributions = explainDomain(nameFacts(domain), scorer);
  const scores = threats.flatMap((threat) => {
    const score = findComponent(risk, threatComponent(threat));
    return score === undefined ? [] : [{ threat, score }];
  });
  const [trust] = contributions;
  if (scores.length === 0) return `${head}  ${escapeForTerminal(reasonText(trust ?? { reason: '' }))}`;
  const highest = threatComponent(scores.reduce((most, one) => (one.score > most.score ? one : most)).threat);
  const lines = contributions
    .filter(({ component }) => component === highest)
    .map(
      (one) =>
        `     ${signedPoints(one.points, one.evidence === undefined).padStart(4)}  ${escapeForTerminal(reasonText(one))}`,
    );
  const all = scores.map(({ threat, score }) => `${threat} ${colouredScore(score)}`).join('  ');
  return [`${head}  ${all}`, ...lines].join('\n');
}
