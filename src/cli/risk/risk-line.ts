/** Formats the risk of one name as a JSON line and as text for a terminal. */
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import { foundThreats, nameEvidence, threatComponents } from '../../model/risk/domain-risk.ts';
import { type Contribution, explainName } from '../../model/risk/name/explain-name.ts';
import type { NameParts } from '../../model/risk/name/name-parts.ts';
import type { NameScorer } from '../../model/risk/name/name-scorer.ts';
import { type ByThreat, byThreat, type Threat, threats } from '../../model/risk/threat.ts';
import { colouredScore, signedPoints, titleOf } from './risk-text.ts';

export function riskLine(scorer: NameScorer, parts: NameParts, withReasons: boolean): string {
  const scores = scorer.scoresOf(parts);
  const evidence = foundThreats(scores).length > 0 ? [nameEvidence] : [];
  const contributions = withReasons
    ? { contributions: byThreat((threat) => explainName(scorer, parts, threat).contributions.map(onLine)) }
    : {};
  return JSON.stringify({
    domain: parts.domain,
    risk_score: maximumOf(scores),
    components: threatComponents(scores, evidence),
    evidence,
    ...contributions,
  });
}

function maximumOf(scores: ByThreat<number>): number {
  return Math.max(...threats.map((threat) => scores[threat]));
}

function onLine({ reason, logOdds, points, texts }: Contribution) {
  return { reason, points, log_odds: Number(logOdds.toFixed(3)), ...(texts ? { texts } : {}) };
}

const reasonWords: Readonly<Record<Contribution['reason'], string>> = {
  base: 'any name',
  words: 'words',
  form: 'form',
  suffix: 'suffix',
};

/** The scores of all threats, and the reasons for the highest. Control characters are escaped. */
export function riskText(scorer: NameScorer, parts: NameParts): string {
  const scores = scorer.scoresOf(parts);
  const riskScore = maximumOf(scores);
  const highest = threats.find((threat) => scores[threat] === riskScore) as Threat;
  const all = threats.map((threat) => `${threat} ${colouredScore(scores[threat])}`).join('  ');
  const lines = explainName(scorer, parts, highest).contributions.map(
    ({ reason, points, texts }) =>
      `     ${signedPoints(points, reason === 'base').padStart(4)}  ${reasonWords[reason]}${texts ? `: ${escapeForTerminal(texts.join(', '))}` : ''}`,
  );
  return [`${colouredScore(riskScore, 3)}  ${titleOf(parts.domain)}  ${all}`, ...lines].join('\n');
}
