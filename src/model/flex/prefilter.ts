/**
 * The literal prefilter of a pattern: a boolean formula over substrings that every match must contain, so that a trigram index
 * rules out most texts before any is matched (RE2's FilteredRE2; Cox 2012, https://swtch.com/~rsc/regexp/regexp4.html). A
 * prefilter may let through texts that do not match, and never rejects one that does; its size is bounded whatever the
 * pattern.
 */
import { beyondAscii, type PatternTree } from './pattern-tree.ts';

/** Literals have at least three characters, which a trigram index conditions, and are in lower case. `anything` filters nothing. */
export type Prefilter =
  | { readonly kind: 'anything' }
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'and'; readonly of: readonly Prefilter[] }
  | { readonly kind: 'or'; readonly of: readonly Prefilter[] };

/** What is known of the texts that a subpattern matches: all of them, or else their prefixes and suffixes. */
interface MatchInfo {
  /** Whether `starts` are all the texts that match; `ends` are then the same. */
  readonly isExact: boolean;
  readonly starts: readonly string[];
  readonly ends: readonly string[];
  /** Conditions that each of the texts satisfies besides. */
  readonly conditions: readonly Prefilter[];
}

const literalLengthMin = 3;
const maxLiterals = 256;
const maxInside = 32;
const maxJoined = 16;
const maxJoinedLength = 1024;
const maxCharsTried = 3;

const anything: Prefilter = { kind: 'anything' };
const emptyText = exact(['']);
const someText: MatchInfo = { isExact: false, starts: [''], ends: [''], conditions: [] };

export function prefilterOf(tree: PatternTree): Prefilter {
  return formulaOf(matchInfoOf(tree));
}

function matchInfoOf(tree: PatternTree): MatchInfo {
  switch (tree.kind) {
    case 'char': {
      const isFew = tree.chars.length <= maxCharsTried && !tree.chars.includes(beyondAscii);
      return isFew ? exact(tree.chars.split('')) : someText;
    }
    case 'sequence':
      return tree.of.map(matchInfoOf).reduce(join, emptyText);
    case 'either':
      return union(tree.of.map(matchInfoOf));
    case 'repeat':
      return repeat(matchInfoOf(tree.of), tree.min, tree.max);
    default:
      return emptyText;
  }
}

function exact(texts: readonly string[]): MatchInfo {
  return { isExact: true, starts: texts, ends: texts, conditions: [] };
}

function join(left: MatchInfo, right: MatchInfo): MatchInfo {
  const joined = cross(left.ends, right.starts);
  if (joined !== undefined && left.isExact && right.isExact) return exact(joined);
  // What is neither a prefix nor a suffix of the whole is a condition on its inside.
  const inside: (readonly string[])[] = [];
  if (joined === undefined) {
    if (!left.isExact) inside.push(left.ends);
    if (!right.isExact) inside.push(right.starts);
  } else if (!left.isExact && !right.isExact) {
    inside.push(joined);
  }
  const conditions = [...left.conditions, ...inside.map(containing), ...right.conditions];
  return {
    isExact: false,
    starts: left.isExact ? (joined ?? left.starts) : left.starts,
    ends: right.isExact ? (joined ?? right.ends) : right.ends,
    conditions: conditions.filter((term) => term !== anything).slice(0, maxInside),
  };
}

/** The cross product of concatenations; undefined where it would be too large. */
function cross(left: readonly string[], right: readonly string[]): readonly string[] | undefined {
  if (left.length === 1 && left[0] === '') return right;
  if (right.length === 1 && right[0] === '') return left;
  if (left.length === 1 && right.length === 1) return [`${left[0]}${right[0]}`];
  if (left.length * right.length > maxJoined) return undefined;
  const texts = distinct(left.flatMap((start) => right.map((end) => start + end)));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return length <= maxJoinedLength ? texts : undefined;
}

function union(infos: readonly MatchInfo[]): MatchInfo {
  const isExact = infos.every((info) => info.isExact);
  const starts = distinct(infos.flatMap((info) => info.starts));
  if (isExact && starts.length <= maxLiterals) return exact(starts);
  const ends = distinct(infos.flatMap((info) => info.ends));
  return {
    isExact: false,
    starts: starts.length <= maxLiterals ? starts : someText.starts,
    ends: ends.length <= maxLiterals ? ends : someText.ends,
    conditions: [or(infos.map(formulaOf))],
  };
}

function repeat(info: MatchInfo, min: number, max: number): MatchInfo {
  if (max === 0) return emptyText;
  if (min === 0) return max === 1 ? union([emptyText, info]) : someText;
  // Where the texts are not all known, two repetitions yield all conditions that any number would.
  const times = info.isExact ? min : Math.min(min, 2);
  const least = Array.from({ length: times }, () => info).reduce(join);
  return { ...least, isExact: least.isExact && min === max };
}

function formulaOf(info: MatchInfo): Prefilter {
  return and([containing(info.starts), ...info.conditions, containing(info.ends)]);
}

function containing(texts: readonly string[]): Prefilter {
  if (texts.some((text) => text.length < literalLengthMin)) return anything;
  const isCovered = (text: string) => texts.some((other) => other !== text && text.includes(other));
  const literals = texts.length <= maxJoined ? texts.filter((text) => !isCovered(text)) : texts;
  return or(literals.map((text) => ({ kind: 'literal', text })));
}

function or(terms: readonly Prefilter[]): Prefilter {
  const of = distinctTerms(terms.flatMap((term) => (term.kind === 'or' ? term.of : [term])));
  if (of.includes(anything) || literalCount(of) > maxLiterals) return anything;
  return of.length === 1 ? (of[0] as Prefilter) : { kind: 'or', of };
}

/** Where the conjunction would be too large, the terms with the fewest literals are kept: they are the most selective. */
function and(parts: readonly Prefilter[]): Prefilter {
  const of: Prefilter[] = [];
  const candidates = parts.flatMap((part) =>
    part.kind === 'and' ? part.of : part === anything ? [] : [part],
  );
  let count = 0;
  for (const part of distinctTerms(candidates).sort((a, b) => literalCount([a]) - literalCount([b]))) {
    count += literalCount([part]);
    if (count <= maxLiterals) of.push(part);
  }
  return of.length === 0 ? anything : of.length === 1 ? (of[0] as Prefilter) : { kind: 'and', of };
}

function literalCount(conditions: readonly Prefilter[]): number {
  return conditions.reduce((sum, term) => sum + ('of' in term ? literalCount(term.of) : 1), 0);
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

/** Deduplicates terms by a shallow comparison; comparing whole trees at every level would cost too much. */
function distinctTerms(conditions: readonly Prefilter[]): Prefilter[] {
  return [...new Map(conditions.map((term) => [comparisonKeyOf(term), term])).values()];
}

function comparisonKeyOf(term: Prefilter): unknown {
  if (term.kind === 'literal') return term.text;
  if (term.kind !== 'or' || term.of.some((child) => child.kind !== 'literal')) return term;
  return term.of.map((child) => (child.kind === 'literal' ? child.text : '')).join('\n');
}
