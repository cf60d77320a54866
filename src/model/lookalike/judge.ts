/** Looks closely at what the quick pass found: whether a name is like a term, how, and which likeness says most. */
import { type Alignment, align } from './alignment.ts';
import { type Candidates, contained, inside, insideVaried, wholeVaried, wholeWeak } from './candidates.ts';
import { stepsOf } from './derivation.ts';
import { type IndexedTerm, reshapedOf, type VariantLetters, variantsOf } from './indexed-term.ts';
import {
  containedAnywhereMin,
  insideVariationMin,
  twoEditsMax,
  twoEditsMin,
  wholeVariationMin,
} from './lengths.ts';
import type { LookalikeMatch, MatchClass, Step } from './match.ts';
import type { NameView } from './name-view.ts';
import { isAmongWords, isGlued, type Place, placeOf, touchesWords } from './place.ts';
import { withSuffix } from './suffix-steps.ts';
import type { TermIndex } from './term-index.ts';

/** Where the characters of a skeleton are in the name. */
export interface SkeletonPlaces {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

interface Likeness {
  readonly alignment: Alignment;
  readonly steps: readonly Step[];
  readonly distance: number;
}

export class Judge {
  readonly #index: TermIndex;

  constructor(index: TermIndex) {
    this.#index = index;
  }

  /** The term of a match is its place in the index. */
  judge(
    view: NameView,
    candidates: Candidates,
    places: SkeletonPlaces | undefined,
  ): readonly LookalikeMatch[] {
    const best = new Map<number, { readonly match: LookalikeMatch; readonly rank: number }>();
    // The last ones are the terms as they are, after which most others need no look.
    for (let index = candidates.length - 1; index >= 0; index -= 1) {
      const number = candidates.term(index);
      const known = best.get(number);
      if (known && known.rank < nothingSaysMore) continue;
      const term = this.#index.terms[number] as IndexedTerm;
      const [from, to] = [candidates.from(index), candidates.to(index)];
      const kind = candidates.kind(index);
      const likeness =
        kind === contained
          ? findContained(term, view, places ? (places.ends[to - 1] as number) : to)
          : findVaried(
              term,
              view,
              places ? (places.starts[from] as number) : from,
              places ? (places.starts[to] as number) : to,
              kind,
            );
      if (!likeness) continue;
      const found = matchOf(number, term, view, likeness);
      if (!known || found.rank < known.rank) best.set(number, found);
    }
    return Array.from(best.values(), ({ match }) => match);
  }
}

/** The whole label that somebody registered, with foldings only. */
const nothingSaysMore = 10;
const foldingsOnly = { isOpen: false, editsMax: 0, weakMax: 0 } as const;

/** The folded term ends at this place of the name. */
function findContained(term: IndexedTerm, view: NameView, end: number): Likeness | undefined {
  const { letters } = view;
  const to = letters.ends.indexOf(end) + 1;
  if (to === 0) return undefined;
  let from = to;
  for (let symbols = term.symbols.length; symbols > 0; symbols -= (letters.folds[from] as string).length) {
    from -= 1;
    if (from < 0) return undefined;
  }
  const isExact = view.name.slice(letters.starts[from], letters.ends[to - 1]) === term.label.text;
  const alignment = isExact ? { moves: [], from, to } : align(term.label, letters, from, to, foldingsOnly);
  if (!alignment || distanceOf(alignment) > 0) return undefined;
  const steps = stepsOf(term.label, letters, alignment);
  return mayBeHere(term, view, alignment, steps) ? { alignment, steps, distance: 0 } : undefined;
}

/** A variation between two places of the name, all that is there or anything inside. */
function findVaried(
  term: IndexedTerm,
  view: NameView,
  fromPlace: number,
  toPlace: number,
  kind: number,
): Likeness | undefined {
  const { letters } = view;
  if (fromPlace >= view.ownTo && view.ownTo < view.name.length) return undefined;
  if (toPlace > view.ownTo) return undefined;
  const from = letters.starts.findIndex((place) => place >= fromPlace);
  const to = letters.ends.findLastIndex((place) => place <= toPlace) + 1;
  const near = likenessOf(term, { letters: term.label, steps: [] }, view, from, to, kind);
  if (near || kind === wholeWeak) return near;
  for (const variant of kind === wholeVaried || kind === insideVaried ? variantsOf(term) : reshapedOf(term)) {
    const likeness = likenessOf(term, variant, view, from, to, kind);
    // Inside a label other words are only looked for as they are.
    if (likeness && (kind !== insideVaried || likeness.distance === 0)) return likeness;
  }
  return undefined;
}

function likenessOf(
  term: IndexedTerm,
  { letters, steps }: VariantLetters,
  view: NameView,
  from: number,
  to: number,
  kind: number,
): Likeness | undefined {
  const isInside = kind === inside || kind === insideVaried;
  const editsMax = distanceMax(term, isInside);
  const weakMax = kind === wholeWeak ? (letters.characters.length + 1) >> 1 : 0;
  const alignment = align(letters, view.letters, from, to, { isOpen: isInside, editsMax, weakMax });
  if (!alignment || alignment.to <= alignment.from) return undefined;
  const distance = distanceOf(alignment) + editsOf(steps);
  if (distance > editsMax) return undefined;
  const allSteps = [...steps, ...stepsOf(letters, view.letters, alignment)];
  if (isInside && !mayBeHere(term, view, alignment, allSteps)) return undefined;
  return { alignment, distance, steps: allSteps };
}

/** Foldings are none; weak lookalikes count as one edit together, as long as most of the term is left. */
function distanceOf({ moves }: Alignment): number {
  let [edits, weak] = [0, 0];
  for (const move of moves) {
    edits += move.edits;
    if (move.isWeak) weak += 1;
  }
  if (weak * 2 > moves.length + 1) return Number.POSITIVE_INFINITY;
  return edits + Math.min(1, weak);
}

/** Of the steps to another word for the term only a plural is an edit. */
function editsOf(steps: readonly Step[]): number {
  return steps.filter((step) => step.class === 'plural').length;
}

function distanceMax({ label }: IndexedTerm, isInside: boolean): number {
  const letters = label.characters.length;
  if (isInside) return letters >= insideVariationMin ? 1 : 0;
  if (letters >= twoEditsMin && letters <= twoEditsMax) return 2;
  return letters >= wholeVariationMin ? 1 : 0;
}

/** Whether what was found inside a label, or spread over labels, is more than chance. */
function mayBeHere(
  term: IndexedTerm,
  view: NameView,
  { from, to }: Alignment,
  steps: readonly Step[],
): boolean {
  const place = placeOf(view, view.letters.starts[from] as number, view.letters.ends[to - 1] as number);
  if (place.from >= view.ownTo && view.ownTo < view.name.length) return false;
  // A suffix may be part of it, as in `instagr.am`, but then nothing else is.
  if (place.isWhole || place.to > view.ownTo) return place.isWhole;
  if (term.label.characters.length < containedAnywhereMin) return steps.length === 0 && touchesWords(place);
  return place.borders > 0 || steps.every((step) => step.class !== 'hyphenation' && step.class !== 'dot');
}

function matchOf(
  number: number,
  term: IndexedTerm,
  view: NameView,
  { alignment, steps, distance }: Likeness,
) {
  const from = view.letters.starts[alignment.from] as number;
  const place = placeOf(view, from, view.letters.ends[alignment.to - 1] as number);
  const stretch = withSuffix(term.suffix, view, place, steps);
  const match: LookalikeMatch = {
    term: number,
    class: classOf(stretch.steps, place),
    steps: stretch.steps,
    name: view.name,
    ...(view.punycode !== undefined && { punycode: view.punycode }),
    from,
    to: stretch.to,
    text: view.name.slice(from, stretch.to),
    distance,
  };
  const standing = place.isWhole ? Number(!place.isOwn) : 4 - place.borders;
  // With a letter or two more, what they make of the whole label says more than that the term is in it.
  const isNearlyWhole = letterOrTwo.test(place.before + place.behind);
  const far = isNearlyWhole ? Math.max(distance, 1) : distance;
  return { match, rank: far * 100 + standing * 10 + Math.min(9, stretch.steps.length) };
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
