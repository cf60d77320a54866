/**
 * Regular expressions: the subset of POSIX extended syntax that is regular, so without back-references. What POSIX leaves
 * undefined (an empty alternative, a repetition of a repetition, an unmatched bracket) is rejected rather than guessed.
 */
import { readCharClass } from './char-class.ts';
import type { PatternReader } from './pattern-reader.ts';
import { anyChar, anyString, type PatternTree } from './pattern-tree.ts';

const specialChars = '\\^$.[|()*+?{';
const maxDepth = 100;
const maxRepetitions = 255;

export function readRegex(reader: PatternReader): PatternTree {
  const tree = readAlternatives(reader, 0);
  if (reader.peek() !== '') throw reader.problem(') has no ( before it');
  return tree;
}

function readAlternatives(reader: PatternReader, depth: number): PatternTree {
  const alternatives: PatternTree[] = [];
  do alternatives.push(readSequence(reader, depth));
  while (reader.accepts('|'));
  return alternatives.length === 1 ? (alternatives[0] as PatternTree) : { kind: 'either', of: alternatives };
}

function readSequence(reader: PatternReader, depth: number): PatternTree {
  const parts: PatternTree[] = [];
  while (!endsSequence(reader.peek())) parts.push(readRepeated(reader, depth));
  if (parts.length === 0) throw reader.problem('an alternative or a group is empty');
  return { kind: 'sequence', of: parts };
}

function endsSequence(char: string): boolean {
  return char === '' || char === '|' || char === ')';
}

function readRepeated(reader: PatternReader, depth: number): PatternTree {
  const atom = readAtom(reader, depth);
  if (!isRepetition(reader.peek())) return atom;
  const start = reader.at;
  const [min, max] = readBounds(reader);
  const isAnchor = atom.kind === 'start' || atom.kind === 'end';
  if (isAnchor) throw reader.problem('an anchor cannot be repeated', start);
  if (isRepetition(reader.peek())) throw reader.problem('a repetition cannot be repeated; group it with ( )');
  return atom === anyChar && min === 0 && max === Infinity
    ? anyString
    : { kind: 'repeat', of: atom, min, max };
}

function isRepetition(char: string): boolean {
  return char !== '' && '*+?{'.includes(char);
}

function readBounds(reader: PatternReader): readonly [min: number, max: number] {
  const start = reader.at;
  const char = reader.read();
  if (char !== '{') return [char === '+' ? 1 : 0, char === '?' ? 1 : Infinity];
  const parts = /^(\d{1,9})(?:(,)(\d{0,9}))?$/.exec(reader.readThrough('}') ?? '');
  if (parts === null) throw reader.problem('{ must begin {n}, {n,} or {n,m}, or be written \\{', start);
  const [, first, comma, second] = parts;
  const min = Number(first);
  const max = second ? Number(second) : comma === undefined ? min : Infinity;
  if (max < min) throw reader.problem(`the repetition {${min},${max}} runs backwards`, start);
  if (min > maxRepetitions || (max > maxRepetitions && max !== Infinity)) {
    throw reader.problem(`a repetition may count to ${maxRepetitions} at most`, start);
  }
  return [min, max];
}

function readAtom(reader: PatternReader, depth: number): PatternTree {
  const start = reader.at;
  const char = reader.read();
  switch (char) {
    case '(':
      return readGroup(reader, start, depth + 1);
    case '[':
      return { kind: 'char', chars: readCharClass(reader, '^') };
    case '.':
      return anyChar;
    case '^':
      return { kind: 'start' };
    case '$':
      return { kind: 'end' };
    case '\\':
      return { kind: 'char', chars: readEscaped(reader, start) };
    default:
      if (isRepetition(char)) throw reader.problem(`${char} has nothing to repeat`, start);
      return { kind: 'char', chars: char.toLowerCase() };
  }
}

function readGroup(reader: PatternReader, start: number, depth: number): PatternTree {
  if (depth > maxDepth) throw reader.problem(`groups may nest ${maxDepth} deep at most`, start);
  const tree = readAlternatives(reader, depth);
  if (!reader.accepts(')')) throw reader.problem('( has no ) after it', start);
  return tree;
}

function readEscaped(reader: PatternReader, start: number): string {
  const char = reader.read();
  if (char === '') throw reader.problem('\\ has nothing to escape', start);
  if (!specialChars.includes(char)) {
    throw reader.problem(`\\ may stand before one of ${specialChars} only, not before "${char}"`, start);
  }
  return char;
}
