/**
 * Explains the score of a name: the contributions of its words, its form and its suffix, in log-odds and in points. Points are the
 * increments of the score as the reasons are added one by one, the strongest first; so they are integers that sum to the score.
 */

import type { Threat } from '../threat.ts';
import { type Reason, reasons } from './name-features.ts';
import type { NameParts } from './name-parts.ts';
import type { NameScorer } from './name-scorer.ts';

export interface Contribution {
  /** `base` is the value that every name has. */
  readonly reason: 'base' | Reason;
  readonly logOdds: number;
  readonly points: number;
  /** For `words` the parts of the name that contribute most; for `suffix` the suffix. */
  readonly texts?: readonly string[];
}

export interface Explanation {
  readonly score: number;
  readonly contributions: readonly Contribution[];
}

export function explainName(scorer: NameScorer, parts: NameParts, threat: Threat): Explanation {
  const { base, added, characterWeights } = scorer.partsOf(parts, threat);
  const strongest = reasons.toSorted((a, b) => Math.abs(added[b]) - Math.abs(added[a]));
  let [logOdds, score] = [base, scorer.scoreAt(threat, base)];
  const contributions: Contribution[] = [{ reason: 'base', logOdds: base, points: score }];
  for (const reason of strongest) {
    logOdds += added[reason];
    const points = scorer.scoreAt(threat, logOdds) - score;
    score += points;
    const texts = textsOf(reason, parts, characterWeights);
    contributions.push({ reason, logOdds: added[reason], points, ...(texts.length > 0 ? { texts } : {}) });
  }
  return { score, contributions };
}

function textsOf(
  reason: Reason,
  { label, suffix }: NameParts,
  characterWeights: Float64Array,
): readonly string[] {
  if (reason === 'suffix') return [suffix];
  return reason === 'words' ? strongestTexts(label, characterWeights) : [];
}

const textsMax = 3;
const textCharactersMin = 3;

/** Substrings whose characters all have a positive weight. */
function strongestTexts(label: string, characterWeights: Float64Array): readonly string[] {
  const found: { readonly text: string; readonly characterWeights: number }[] = [];
  let [from, sum] = [0, 0];
  for (let at = 0; at <= label.length; at += 1) {
    const weight = at < label.length ? (characterWeights[at] as number) : 0;
    if (weight > 0) {
      sum += weight;
      continue;
    }
    if (at - from >= textCharactersMin) found.push({ text: label.slice(from, at), characterWeights: sum });
    from = at + 1;
    sum = 0;
  }
  return found
    .toSorted((a, b) => b.characterWeights - a.characterWeights)
    .slice(0, textsMax)
    .map(({ text }) => text);
}
