/**
 * Bracket expressions, the same in regular expressions and globs except for the negation sign. As in POSIX, a backslash is an
 * ordinary member, `]` is one when it comes first, and `-` when it comes first or last.
 */
import type { PatternReader } from './pattern-reader.ts';
import { everyChar } from './pattern-tree.ts';

/** Each class as the ends of its ranges. */
const namedClasses: ReadonlyMap<string, string> = new Map([
  ['alnum', '09az'],
  ['alpha', 'az'],
  ['blank', '\t\t  '],
  ['cntrl', '\0\x1f\x7f\x7f'],
  ['digit', '09'],
  ['graph', '!~'],
  ['lower', 'az'],
  ['print', ' ~'],
  ['punct', '!/:@[`{~'],
  ['space', '\t\r  '],
  ['upper', 'az'],
  ['xdigit', '09af'],
]);

/** Parses a class after its `[`; returns its members sorted by code. */
export function readCharClass(reader: PatternReader, negation: '^' | '!'): string {
  const start = reader.at - 1;
  const outside = reader.accepts(negation) ? 1 : 0;
  const first = reader.at;
  const isMember = new Uint8Array(129);
  do {
    if (reader.peek() === '') throw reader.problem('the class has no closing ]', start);
    const ranges = reader.accepts('[:') ? readNamedClass(reader) : readRange(reader, reader.at === first);
    for (let index = 0; index < ranges.length; index += 2) {
      isMember.fill(1, ranges.charCodeAt(index), ranges.charCodeAt(index + 1) + 1);
    }
  } while (!reader.accepts(']'));

  return foldedMembers(isMember, outside);
}

function foldedMembers(isMember: Uint8Array, outside: 0 | 1): string {
  const codes: number[] = [];
  for (let index = 0; index < everyChar.length; index += 1) {
    const code = everyChar.charCodeAt(index);
    const isLetter = code >= 97 && code <= 122;
    const inside = isMember[code] === 1 || (isLetter && isMember[code - 32] === 1) ? 1 : 0;
    if (inside !== outside) codes.push(code);
  }
  return String.fromCharCode(...codes);
}

function readNamedClass(reader: PatternReader): string {
  const start = reader.at - 2;
  const ranges = namedClasses.get(reader.readThrough(':]') ?? '');
  if (ranges !== undefined) return ranges;
  throw reader.problem(`[: must begin one of ${[...namedClasses.keys()].join(', ')}, ended by :]`, start);
}

function readRange(reader: PatternReader, isFirst: boolean): string {
  const start = reader.at;
  if (reader.peek() === '-' && !isFirst && !reader.startsWith('-]')) {
    throw reader.problem('- in a class must come first, last or between the ends of a range');
  }
  const from = readMember(reader);
  if (reader.peek() !== '-' || reader.startsWith('-]')) return from + from;
  reader.read();
  if (reader.peek() === '') return from + from;
  const to = readMember(reader);
  if (to < from) throw reader.problem(`the range ${from}-${to} runs backwards`, start);
  return from + to;
}

function readMember(reader: PatternReader): string {
  if (reader.startsWith('[.') || reader.startsWith('[=')) {
    throw reader.problem('collating elements and equivalence classes are not supported');
  }
  if (reader.startsWith('[:')) throw reader.problem('a named class cannot be an end of a range');
  return reader.read();
}
