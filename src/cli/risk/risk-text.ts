/** Formats scores, points and names for a terminal, with control characters escaped. */
import { styleText } from 'node:util';
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import { unicodeName } from '../../model/lookalike/fold/unicode-name.ts';
import type { RiskReason } from '../../model/risk/risk-reason.ts';

export function titleOf(domain: string): string {
  return styleText('bold', shownName(domain), { stream: process.stdout });
}

export function shownName(domain: string): string {
  const shown = unicodeName(domain);
  return escapeForTerminal(shown === domain ? domain : `${domain} (${shown})`);
}

/** Our words, then what a third party wrote. */
export function reasonText({ reason, value }: Pick<RiskReason, 'reason' | 'value'>): string {
  return value === undefined ? reason : `${reason}: ${value}`;
}

export function signedPoints(points: number, isBase: boolean): string {
  return isBase || points < 0 ? String(points) : `+${points}`;
}

/** Pads before colouring, because escape sequences would count as characters. */
export function colouredScore(score: number, width = 0): string {
  const colour = score >= 70 ? 'red' : score >= 40 ? 'yellow' : 'green';
  return styleText(colour, String(score).padStart(width), { stream: process.stdout });
}
