/**
 * Why a name has its score: what its words, its form and its suffix added, in log-odds and in points. Points are the steps of the
 * score as one reason after another is added, the strongest first, so they are whole numbers and their sum is the score.
 */

import { type Reason, reasons } from './name-features.ts';
import type { NameParts } from './name-parts.ts';
import type { NameScorer } from './name-scorer.ts';
import { scoreOf } from './score-curve.ts';
import type { Threat } from './threat.ts';

export interface Contribution {
  /** `base` is what every name has. */
  readonly reason: 'base' | Reason;
  readonly logOdds: number;
  readonly points: number;
  /** The parts of the name that say most, for `words`; the suffix, for `suffix`. */
  readonly texts?: readonly string[];
}

export interface Explanation {
  readonly score: number;
  readonly contributions: readonly Contribution[];
}

export function explainName(scorer: NameScorer, parts: NameParts, threat: Threat): Explanation {
  const { base, added, heat } = scorer.partsOf(parts, threat);
  const curve = scorer.model.curves[threat];
  const strongest = reasons.toSorted((a, b) => Math.abs(added[b]) - Math.abs(added[a]));
  let [logOdds, score] = [base, scoreOf(curve, base)];
  const contributions: Contribution[] = [{ reason: 'base', logOdds: base, points: score }];
  for (const reason of strongest) {
    logOdds += added[reason];
    const points = scoreOf(curve, logOdds) - score;
    score += points;
    const texts = textsOf(reason, parts, heat);
    contributions.push({ reason, logOdds: added[reason], points, ...(texts.length > 0 ? { texts } : {}) });
  }
  return { score, contributions };
}

function textsOf(reason: Reason, { label, suffix }: NameParts, heat: Float64Array): readonly string[] {
  if (reason === 'suffix') return [suffix];
  return reason === 'words' ? hottestTexts(label, heat) : [];
}

const textsMax = 3;
const textCharactersMin = 3;

/** Stretches of characters that all speak for the threat. */
function hottestTexts(label: string, heat: Float64Array): readonly string[] {
  const found: { readonly text: string; readonly heat: number }[] = [];
  let [from, sum] = [0, 0];
  for (let at = 0; at <= label.length; at += 1) {
    const here = at < label.length ? (heat[at] as number) : 0;
    if (here > 0) {
      sum += here;
      continue;
    }
    if (at - from >= textCharactersMin) found.push({ text: label.slice(from, at), heat: sum });
    from = at + 1;
    sum = 0;
  }
  return found
    .toSorted((a, b) => b.heat - a.heat)
    .slice(0, textsMax)
    .map(({ text }) => text);
}
