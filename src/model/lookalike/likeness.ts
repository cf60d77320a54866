/** Whether a stretch of a name is like a term, and how one comes from the term to it. */
import { type Alignment, align } from './alignment.ts';
import { inside, insideVaried, wholeVaried, wholeWeak } from './candidates.ts';
import { stepsOf } from './derivation.ts';
import { type IndexedTerm, reshapedOf, type VariantLetters, variantsOf } from './indexed-term.ts';
import {
  containedAnywhereMin,
  insideVariationMin,
  twoEditsMax,
  twoEditsMin,
  wholeVariationMin,
} from './lengths.ts';
import type { Step } from './match.ts';
import type { NameView } from './name-view.ts';
import { type Place, placeOf, touchesWords } from './place.ts';

export interface Likeness {
  readonly place: Place;
  /** From the label of the term to the text at the place. */
  readonly steps: readonly Step[];
  readonly distance: number;
}

const foldingsOnly = { isOpen: false, editsMax: 0, weakMax: 0 } as const;

/** The folded term ends at this place of the name. */
export function findContained(term: IndexedTerm, view: NameView, end: number): Likeness | undefined {
  const { text } = term.label;
  if (view.name.endsWith(text, end)) return fitting(term, view, placeOf(view, end - text.length, end), [], 0);
  const { letters } = view;
  const to = letters.ends.indexOf(end) + 1;
  if (to === 0) return undefined;
  let from = to;
  for (let symbols = term.symbols.length; symbols > 0; symbols -= (letters.folds[from] as string).length) {
    from -= 1;
    if (from < 0) return undefined;
  }
  const alignment = align(term.label, letters, from, to, foldingsOnly);
  if (!alignment || distanceOf(alignment) > 0) return undefined;
  return fitting(term, view, alignedPlace(view, alignment), stepsOf(term.label, letters, alignment), 0);
}

/** A variation between two places of the name, all that is there or anything inside. */
export function findVaried(
  term: IndexedTerm,
  view: NameView,
  fromPlace: number,
  toPlace: number,
  kind: number,
): Likeness | undefined {
  const { letters } = view;
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
  const isOpen = kind === inside || kind === insideVaried;
  const editsMax = distanceMax(term, isOpen);
  const weakMax = kind === wholeWeak ? (letters.characters.length + 1) >> 1 : 0;
  const alignment = align(letters, view.letters, from, to, { isOpen, editsMax, weakMax });
  if (!alignment || alignment.to <= alignment.from) return undefined;
  const distance = distanceOf(alignment) + editsOf(steps);
  if (distance > editsMax) return undefined;
  const place = alignedPlace(view, alignment);
  const all = [...steps, ...stepsOf(letters, view.letters, alignment)];
  return isOpen ? fitting(term, view, place, all, distance) : { place, steps: all, distance };
}

function alignedPlace(view: NameView, { from, to }: Alignment): Place {
  return placeOf(view, view.letters.starts[from] as number, view.letters.ends[to - 1] as number);
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

/** Only if what was found inside a label, or spread over labels, is more than chance. */
function fitting(
  { label }: IndexedTerm,
  view: NameView,
  place: Place,
  steps: readonly Step[],
  distance: number,
): Likeness | undefined {
  const isSuffix = place.from >= view.ownTo && view.ownTo < view.name.length;
  return !isSuffix && mayBe(label.characters.length, view, place, steps)
    ? { place, steps, distance }
    : undefined;
}

function mayBe(letters: number, view: NameView, place: Place, steps: readonly Step[]): boolean {
  // A suffix may be part of it, as in `instagr.am`, but then nothing else is.
  if (place.isWhole || place.to > view.ownTo) return place.isWhole;
  if (letters < containedAnywhereMin) return steps.length === 0 && touchesWords(place);
  return place.borders > 0 || steps.every((step) => step.class !== 'hyphenation' && step.class !== 'dot');
}
