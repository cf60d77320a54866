/** Verifies one candidate by alignment: whether a span of a name resembles a term, and by which steps. */

import { derivationSteps } from '../explain/derivation.ts';
import { inside, insideVaried, wholeVaried, wholeWeak } from '../index/candidates.ts';
import { type IndexedTerm, reshapedOf, type VariantLetters, variantsOf } from '../index/indexed-term.ts';
import {
  containedAnywhereMin,
  insideVariationMin,
  twoEditsMax,
  twoEditsMin,
  wholeVariationMin,
} from '../length-thresholds.ts';
import type { Step } from '../match.ts';
import { type Alignment, align } from './alignment.ts';
import type { NameView } from './name-view.ts';
import { positionOf, type TermPosition, touchesCommonWords } from './term-position.ts';

export interface TermMatch {
  readonly position: TermPosition;
  /** The steps from the label of the term to the text at the position. */
  readonly steps: readonly Step[];
  readonly distance: number;
}

const foldingsOnly = { isOpen: false, editsMax: 0, weakMax: 0 } as const;

/** The match of a folded term that ends at this offset of the name. */
export function findContainedMatch(term: IndexedTerm, view: NameView, end: number): TermMatch | undefined {
  const { text } = term.label;
  if (view.name.endsWith(text, end))
    return ifPlausible(term, view, positionOf(view, end - text.length, end), [], 0);
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
  return ifPlausible(
    term,
    view,
    alignedPosition(view, alignment),
    derivationSteps(term.label, letters, alignment),
    0,
  );
}

/** The match of a variation in this range of the name: all of the range, or, for the `inside` kinds, a part of it. */
export function findVariantMatch(
  term: IndexedTerm,
  view: NameView,
  fromOffset: number,
  toOffset: number,
  kind: number,
): TermMatch | undefined {
  const { letters } = view;
  if (toOffset > view.registeredTo) return undefined;
  const from = letters.starts.findIndex((offset) => offset >= fromOffset);
  const to = letters.ends.findLastIndex((offset) => offset <= toOffset) + 1;
  const near = matchOf(term, { letters: term.label, steps: [] }, view, from, to, kind);
  if (near || kind === wholeWeak) return near;
  for (const variant of kind === wholeVaried || kind === insideVaried ? variantsOf(term) : reshapedOf(term)) {
    const termMatch = matchOf(term, variant, view, from, to, kind);
    // Inside a label variants must match without edits.
    if (termMatch && (kind !== insideVaried || termMatch.distance === 0)) return termMatch;
  }
  return undefined;
}

function matchOf(
  term: IndexedTerm,
  { letters, steps }: VariantLetters,
  view: NameView,
  from: number,
  to: number,
  kind: number,
): TermMatch | undefined {
  const isOpen = kind === inside || kind === insideVaried;
  const editsMax = distanceMax(term, isOpen);
  const weakMax = kind === wholeWeak ? (letters.characters.length + 1) >> 1 : 0;
  const alignment = align(letters, view.letters, from, to, { isOpen, editsMax, weakMax });
  if (!alignment || alignment.to <= alignment.from) return undefined;
  const distance = distanceOf(alignment) + editsOf(steps);
  if (distance > editsMax) return undefined;
  const position = alignedPosition(view, alignment);
  const all = [...steps, ...derivationSteps(letters, view.letters, alignment)];
  return isOpen ? ifPlausible(term, view, position, all, distance) : { position, steps: all, distance };
}

function alignedPosition(view: NameView, { from, to }: Alignment): TermPosition {
  return positionOf(view, view.letters.starts[from] as number, view.letters.ends[to - 1] as number);
}

/** Foldings cost no edit; weak homoglyphs together cost one, as long as they are at most half of the term. */
function distanceOf({ operations }: Alignment): number {
  let [edits, weak] = [0, 0];
  for (const operation of operations) {
    edits += operation.edits;
    if (operation.isWeak) weak += 1;
  }
  if (weak * 2 > operations.length + 1) return Number.POSITIVE_INFINITY;
  return edits + Math.min(1, weak);
}

/** Of the steps to a variant only a plural counts as an edit. */
function editsOf(steps: readonly Step[]): number {
  return steps.filter((step) => step.class === 'plural').length;
}

function distanceMax({ label }: IndexedTerm, isInside: boolean): number {
  const letters = label.characters.length;
  if (isInside) return letters >= insideVariationMin ? 1 : 0;
  if (letters >= twoEditsMin && letters <= twoEditsMax) return 2;
  return letters >= wholeVariationMin ? 1 : 0;
}

/** Rejects matches inside a label, or across labels, that are likely to be chance. */
function ifPlausible(
  { label }: IndexedTerm,
  view: NameView,
  position: TermPosition,
  steps: readonly Step[],
  distance: number,
): TermMatch | undefined {
  const isSuffix = position.from >= view.registeredTo && view.registeredTo < view.name.length;
  return !isSuffix && isPlausible(label.characters.length, view, position, steps)
    ? { position, steps, distance }
    : undefined;
}

function isPlausible(
  letters: number,
  view: NameView,
  position: TermPosition,
  steps: readonly Step[],
): boolean {
  // The public suffix may be part of a match, as in `instagr.am`, but only of a whole one.
  if (position.isWhole || position.to > view.registeredTo) return position.isWhole;
  if (letters < containedAnywhereMin) return steps.length === 0 && touchesCommonWords(position);
  return position.borders > 0 || steps.every((step) => step.class !== 'hyphenation' && step.class !== 'dot');
}
