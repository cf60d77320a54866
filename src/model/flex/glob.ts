/** Globs: anchored at both ends, as in glob(7) without extensions. */
import { readCharClass } from './char-class.ts';
import type { PatternReader } from './pattern-reader.ts';
import { anyChar, anyString, type PatternTree } from './pattern-tree.ts';

export function readGlob(reader: PatternReader): PatternTree {
  const parts: PatternTree[] = [{ kind: 'start' }];
  while (reader.peek() !== '') {
    const part = readPart(reader);
    if (part !== anyString || parts.at(-1) !== anyString) parts.push(part);
  }
  return { kind: 'sequence', of: [...parts, { kind: 'end' }] };
}

function readPart(reader: PatternReader): PatternTree {
  const start = reader.at;
  const char = reader.read();
  switch (char) {
    case '*':
      return anyString;
    case '?':
      return anyChar;
    case '[':
      // Some shells negate with ^ and others do not, so it is rejected rather than risk matching the opposite.
      if (reader.peek() === '^')
        throw reader.problem('a class is negated with [!, and ^ may not come first in it');
      return { kind: 'char', chars: readCharClass(reader, '!') };
    case '\\':
      if (reader.peek() === '') throw reader.problem('\\ has nothing to escape', start);
      return { kind: 'char', chars: reader.read().toLowerCase() };
    default:
      return { kind: 'char', chars: char.toLowerCase() };
  }
}
