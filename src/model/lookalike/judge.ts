/** Looks closely at what the quick pass found in a name, and tells for each term the likeness that says most. */
import { type Candidates, contained } from './candidates.ts';
import type { IndexedTerm } from './indexed-term.ts';
import { findContained, findVaried, type Likeness } from './likeness.ts';
import type { LookalikeMatch, MatchClass, Step } from './match.ts';
import type { NameView } from './name-view.ts';
import { isAmongWords, isGlued, type Place } from './place.ts';
import { withSuffix } from './suffix-steps.ts';

/** Where the characters of a skeleton are in the name. */
export interface SkeletonPlaces {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

interface Ranked {
  readonly match: LookalikeMatch;
  readonly rank: number;
}

/** The rank of the whole label that somebody registered, with foldings only, is below this. */
const nothingSaysMore = 10;

/** The term of a match is its place among these. */
export function judge(
  terms: readonly IndexedTerm[],
  view: NameView,
  candidates: Candidates,
  places: SkeletonPlaces | undefined,
): readonly LookalikeMatch[] {
  const best = new Map<number, Ranked>();
  // The last ones are the terms as they are, after which most others need no look.
  for (let index = candidates.length - 1; index >= 0; index -= 1) {
    const number = candidates.term(index);
    const known = best.get(number);
    if (known && known.rank < nothingSaysMore) continue;
    const term = terms[number] as IndexedTerm;
    const likeness = likenessAt(term, view, candidates, index, places);
    if (!likeness) continue;
    const found = ranked(number, term, view, likeness);
    if (!known || found.rank < known.rank) best.set(number, found);
  }
  return Array.from(best.values(), ({ match }) => match);
}

function likenessAt(
  term: IndexedTerm,
  view: NameView,
  candidates: Candidates,
  index: number,
  places: SkeletonPlaces | undefined,
): Likeness | undefined {
  const kind = candidates.kind(index);
  const to = candidates.to(index);
  if (kind === contained) return findContained(term, view, places ? (places.ends[to - 1] as number) : to);
  const from = candidates.from(index);
  if (!places) return findVaried(term, view, from, to, kind);
  return findVaried(term, view, places.starts[from] as number, places.starts[to] as number, kind);
}

function ranked(number: number, { suffix }: IndexedTerm, view: NameView, likeness: Likeness): Ranked {
  const { place, distance } = likeness;
  const { to, steps } = withSuffix(suffix, view, place, likeness.steps);
  const { name, punycode } = view;
  const match: LookalikeMatch = {
    term: number,
    class: classOf(steps, place),
    steps,
    name,
    ...(punycode !== undefined && { punycode }),
    from: place.from,
    to,
    text: name.slice(place.from, to),
    distance,
  };
  const standing = place.isWhole ? Number(!place.isOwn) : 4 - place.borders;
  // With a letter or two more, what they make of the whole label says more than that the term is in it.
  const far = letterOrTwo.test(place.before + place.behind) ? Math.max(distance, 1) : distance;
  return { match, rank: far * 100 + standing * 10 + Math.min(9, steps.length) };
}

const letterOrTwo = /^[a-z]{1,2}$/;

/** What says most comes first. */
const telling: readonly MatchClass[] = [
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

function classOf(steps: readonly Step[], place: Place): MatchClass {
  const changed = telling.find((one) => steps.some((step) => step.class === one));
  if (changed !== undefined) return changed;
  if (!place.isOwn) return 'subdomain';
  if (place.isWhole) return steps.at(-1)?.class ?? 'exact';
  if (isGlued(place)) return 'glued-prefix';
  return isAmongWords(place) ? 'combosquat' : 'affix';
}
