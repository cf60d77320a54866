/** Verifies the candidates of a name by alignment, and keeps for each term the match that ranks best. */

import { withSuffixStep } from '../explain/suffix-steps.ts';
import { type Candidates, contained } from '../index/candidates.ts';
import type { IndexedTerm } from '../index/indexed-term.ts';
import type { LookalikeMatch, MatchClass, Step } from '../match.ts';
import type { NameView } from './name-view.ts';
import { findContainedMatch, findVariantMatch, type TermMatch } from './term-match.ts';
import { isAmongCommonWords, isGluedPrefix, type TermPosition } from './term-position.ts';

/** By byte of a skeleton: the offset in the name at which its character starts and ends. */
export interface SkeletonOffsets {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

interface Ranked {
  readonly match: LookalikeMatch;
  readonly rank: number;
}

/** A whole registered label that differs by foldings only ranks below this: no other match can be better. */
const unbeatableRank = 10;

/** The `term` of each match is an index in `terms`. */
export function verifyCandidates(
  terms: readonly IndexedTerm[],
  view: NameView,
  candidates: Candidates,
  offsets: SkeletonOffsets | undefined,
): readonly LookalikeMatch[] {
  const best = new Map<number, Ranked>();
  // Contained terms come last, and after those most other candidates can be skipped.
  for (let index = candidates.length - 1; index >= 0; index -= 1) {
    const number = candidates.term(index);
    const known = best.get(number);
    if (known && known.rank < unbeatableRank) continue;
    const term = terms[number] as IndexedTerm;
    const termMatch = matchAt(term, view, candidates, index, offsets);
    if (!termMatch) continue;
    const found = ranked(number, term, view, termMatch);
    if (!known || found.rank < known.rank) best.set(number, found);
  }
  return Array.from(best.values(), ({ match }) => match);
}

function matchAt(
  term: IndexedTerm,
  view: NameView,
  candidates: Candidates,
  index: number,
  offsets: SkeletonOffsets | undefined,
): TermMatch | undefined {
  const kind = candidates.kind(index);
  const to = candidates.to(index);
  if (kind === contained)
    return findContainedMatch(term, view, offsets ? (offsets.ends[to - 1] as number) : to);
  const from = candidates.from(index);
  if (!offsets) return findVariantMatch(term, view, from, to, kind);
  return findVariantMatch(term, view, offsets.starts[from] as number, offsets.starts[to] as number, kind);
}

function ranked(number: number, { suffix }: IndexedTerm, view: NameView, termMatch: TermMatch): Ranked {
  const { position, distance } = termMatch;
  const { to, steps } = withSuffixStep(suffix, view, position, termMatch.steps);
  const { name, punycode } = view;
  const match: LookalikeMatch = {
    term: number,
    class: classOf(steps, position),
    steps,
    name,
    ...(punycode !== undefined && { punycode }),
    from: position.from,
    to,
    text: name.slice(position.from, to),
    distance,
  };
  const positionRank = position.isWhole ? Number(!position.isRegistered) : 4 - position.borders;
  // One or two extra letters are better explained as edits of the whole label than as a contained term.
  const far = letterOrTwo.test(position.before + position.after) ? Math.max(distance, 1) : distance;
  return { match, rank: far * 100 + positionRank * 10 + Math.min(9, steps.length) };
}

const letterOrTwo = /^[a-z]{1,2}$/;

/** The most significant class first. */
const classPriority: readonly MatchClass[] = [
  'homoglyph',
  'transposition',
  'omission',
  'insertion',
  'repetition',
  'replacement',
  'vowel-swap',
  'bit-flip',
  'plural',
  'leet',
  'homophone',
  'numeral',
  'dot',
  'hyphenation',
];

function classOf(steps: readonly Step[], position: TermPosition): MatchClass {
  const changed = classPriority.find((one) => steps.some((step) => step.class === one));
  if (changed !== undefined) return changed;
  if (!position.isRegistered) return 'subdomain';
  if (position.isWhole) return steps.at(-1)?.class ?? 'exact';
  if (isGluedPrefix(position)) return 'glued-prefix';
  return isAmongCommonWords(position) ? 'combosquat' : 'affix';
}
