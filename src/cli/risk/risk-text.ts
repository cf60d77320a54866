/** How scores, points and names look on a terminal. Nothing from outside reaches it as it came. */
import { styleText } from 'node:util';
import { harmless } from '../../model/harmless-text.ts';
import { unicodeName } from '../../model/lookalike/unicode-name.ts';

export function titleOf(domain: string): string {
  const shown = unicodeName(domain);
  return styleText('bold', harmless(shown === domain ? domain : `${domain} (${shown})`), {
    stream: process.stdout,
  });
}

export function signedPoints(points: number, isBase: boolean): string {
  return isBase || points < 0 ? String(points) : `+${points}`;
}

/** Right-aligned: colours are no characters, and would be counted. */
export function colouredScore(score: number, width = 0): string {
  const colour = score >= 70 ? 'red' : score >= 40 ? 'yellow' : 'green';
  return styleText(colour, String(score).padStart(width), { stream: process.stdout });
}
