/** The risk of one name, as a line for programs and as text for people. */
import { styleText } from 'node:util';
import { harmless } from '../../model/harmless-text.ts';
import { unicodeName } from '../../model/lookalike/unicode-name.ts';
import { type Contribution, explainName } from '../../model/risk/explain-name.ts';
import type { NameParts } from '../../model/risk/name-parts.ts';
import { nameRiskOf } from '../../model/risk/name-risk.ts';
import type { NameScorer } from '../../model/risk/name-scorer.ts';
import { byThreat, type Threat, threats } from '../../model/risk/threat.ts';

export function riskLine(scorer: NameScorer, parts: NameParts, withReasons: boolean): string {
  const { riskScore, components, evidence } = nameRiskOf(scorer.scoresOf(parts));
  const contributions = withReasons
    ? { contributions: byThreat((threat) => explainName(scorer, parts, threat).contributions.map(onLine)) }
    : {};
  return JSON.stringify({
    domain: parts.domain,
    risk_score: riskScore,
    components,
    evidence,
    ...contributions,
  });
}

function onLine({ reason, logOdds, points, texts }: Contribution) {
  return { reason, points, log_odds: Number(logOdds.toFixed(3)), ...(texts ? { texts } : {}) };
}

const said: Readonly<Record<Contribution['reason'], string>> = {
  base: 'any name',
  words: 'words',
  form: 'form',
  suffix: 'suffix',
};

/** Scores of all threats, and the reasons of the highest. Nothing of a name reaches a terminal as it came. */
export function riskText(scorer: NameScorer, parts: NameParts): string {
  const scores = scorer.scoresOf(parts);
  const { riskScore } = nameRiskOf(scores);
  const highest = threats.find((threat) => scores[threat] === riskScore) as Threat;
  const shown = unicodeName(parts.domain);
  const title = shown === parts.domain ? parts.domain : `${parts.domain} (${shown})`;
  const all = threats.map((threat) => `${threat} ${coloured(scores[threat])}`).join('  ');
  const lines = explainName(scorer, parts, highest).contributions.map(
    ({ reason, points, texts }) =>
      `     ${signed(points, reason === 'base').padStart(4)}  ${said[reason]}${texts ? `: ${harmless(texts.join(', '))}` : ''}`,
  );
  return [`${coloured(riskScore).padStart(3)}  ${styleText('bold', harmless(title))}  ${all}`, ...lines].join(
    '\n',
  );
}

function signed(points: number, isBase: boolean): string {
  return isBase || points < 0 ? String(points) : `+${points}`;
}

function coloured(score: number): string {
  const colour = score >= 70 ? 'red' : score >= 40 ? 'yellow' : 'green';
  return styleText(colour, String(score), { stream: process.stdout });
}
