/**
 * Finds out which pieces of text a match cannot do without, so that an index of trigrams can leave out most texts before
 * any is matched. The answer may ask for too little, never for too much; its size is bounded whatever the pattern.
 */
import { beyondAscii, type PatternTree } from './pattern-tree.ts';

/** What a text must contain, as far as an index of trigrams can tell: pieces of at least three characters, in lower case. */
export type TextNeeds =
  | { readonly kind: 'anything' }
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'all'; readonly of: readonly TextNeeds[] }
  | { readonly kind: 'one'; readonly of: readonly TextNeeds[] };

/** What is known of the texts that a part of a pattern matches: all of them, or else how they begin and end. */
interface Shape {
  /** True where `starts` are all the texts there are; `ends` are then the same. */
  readonly isExact: boolean;
  readonly starts: readonly string[];
  readonly ends: readonly string[];
  /** What each of the texts needs besides. */
  readonly needs: readonly TextNeeds[];
}

const shortestPiece = 3;
const maxLiterals = 256;
const maxInside = 32;
const maxJoined = 16;
const maxJoinedLength = 1024;
const maxCharsTried = 3;

const anything: TextNeeds = { kind: 'anything' };
const emptyText = exact(['']);
const someText: Shape = { isExact: false, starts: [''], ends: [''], needs: [] };

export function textNeeds(tree: PatternTree): TextNeeds {
  return needsOf(shapeOf(tree));
}

function shapeOf(tree: PatternTree): Shape {
  switch (tree.kind) {
    case 'char': {
      const isFew = tree.chars.length <= maxCharsTried && !tree.chars.includes(beyondAscii);
      return isFew ? exact(tree.chars.split('')) : someText;
    }
    case 'sequence':
      return tree.of.map(shapeOf).reduce(join, emptyText);
    case 'either':
      return unite(tree.of.map(shapeOf));
    case 'repeat':
      return repeat(shapeOf(tree.of), tree.min, tree.max);
    default:
      return emptyText;
  }
}

function exact(texts: readonly string[]): Shape {
  return { isExact: true, starts: texts, ends: texts, needs: [] };
}

function join(left: Shape, right: Shape): Shape {
  const joined = cross(left.ends, right.starts);
  if (joined !== undefined && left.isExact && right.isExact) return exact(joined);
  // What becomes neither a start nor an end of the whole is to be found inside it.
  const inside: (readonly string[])[] = [];
  if (joined === undefined) {
    if (!left.isExact) inside.push(left.ends);
    if (!right.isExact) inside.push(right.starts);
  } else if (!left.isExact && !right.isExact) {
    inside.push(joined);
  }
  const needs = [...left.needs, ...inside.map(containing), ...right.needs];
  return {
    isExact: false,
    starts: left.isExact ? (joined ?? left.starts) : left.starts,
    ends: right.isExact ? (joined ?? right.ends) : right.ends,
    needs: needs.filter((need) => need !== anything).slice(0, maxInside),
  };
}

/** Every left text with every right one; undefined where that would be too much. */
function cross(left: readonly string[], right: readonly string[]): readonly string[] | undefined {
  if (left.length === 1 && left[0] === '') return right;
  if (right.length === 1 && right[0] === '') return left;
  if (left.length === 1 && right.length === 1) return [`${left[0]}${right[0]}`];
  if (left.length * right.length > maxJoined) return undefined;
  const texts = distinct(left.flatMap((start) => right.map((end) => start + end)));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return length <= maxJoinedLength ? texts : undefined;
}

function unite(shapes: readonly Shape[]): Shape {
  const isExact = shapes.every((shape) => shape.isExact);
  const starts = distinct(shapes.flatMap((shape) => shape.starts));
  if (isExact && starts.length <= maxLiterals) return exact(starts);
  const ends = distinct(shapes.flatMap((shape) => shape.ends));
  return {
    isExact: false,
    starts: starts.length <= maxLiterals ? starts : someText.starts,
    ends: ends.length <= maxLiterals ? ends : someText.ends,
    needs: [one(shapes.map(needsOf))],
  };
}

function repeat(shape: Shape, min: number, max: number): Shape {
  if (max === 0) return emptyText;
  if (min === 0) return max === 1 ? unite([emptyText, shape]) : someText;
  // What is open needs no more than what two of it need, however often it comes.
  const times = shape.isExact ? min : Math.min(min, 2);
  const least = Array.from({ length: times }, () => shape).reduce(join);
  return { ...least, isExact: least.isExact && min === max };
}

function needsOf(shape: Shape): TextNeeds {
  return all([containing(shape.starts), ...shape.needs, containing(shape.ends)]);
}

function containing(texts: readonly string[]): TextNeeds {
  if (texts.some((text) => text.length < shortestPiece)) return anything;
  const isCovered = (text: string) => texts.some((other) => other !== text && text.includes(other));
  const pieces = texts.length <= maxJoined ? texts.filter((text) => !isCovered(text)) : texts;
  return one(pieces.map((text) => ({ kind: 'literal', text })));
}

function one(choices: readonly TextNeeds[]): TextNeeds {
  const of = distinctNeeds(choices.flatMap((choice) => (choice.kind === 'one' ? choice.of : [choice])));
  if (of.includes(anything) || literalCount(of) > maxLiterals) return anything;
  return of.length === 1 ? (of[0] as TextNeeds) : { kind: 'one', of };
}

/** Where all would be too much, those with the fewest literals are kept: they say the most. */
function all(parts: readonly TextNeeds[]): TextNeeds {
  const of: TextNeeds[] = [];
  const candidates = parts.flatMap((part) =>
    part.kind === 'all' ? part.of : part === anything ? [] : [part],
  );
  let count = 0;
  for (const part of distinctNeeds(candidates).sort((a, b) => literalCount([a]) - literalCount([b]))) {
    count += literalCount([part]);
    if (count <= maxLiterals) of.push(part);
  }
  return of.length === 0 ? anything : of.length === 1 ? (of[0] as TextNeeds) : { kind: 'all', of };
}

function literalCount(needs: readonly TextNeeds[]): number {
  return needs.reduce((sum, need) => sum + ('of' in need ? literalCount(need.of) : 1), 0);
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

/** Those that are plainly the same only: to look all the way down at every level would cost too much. */
function distinctNeeds(needs: readonly TextNeeds[]): TextNeeds[] {
  return [...new Map(needs.map((need) => [likenessOf(need), need])).values()];
}

function likenessOf(need: TextNeeds): unknown {
  if (need.kind === 'literal') return need.text;
  if (need.kind !== 'one' || need.of.some((choice) => choice.kind !== 'literal')) return need;
  return need.of.map((choice) => (choice.kind === 'literal' ? choice.text : '')).join('\n');
}
