/**
 * A pattern as a nondeterministic automaton after Thompson: numbered steps, each leading to one or two others. Characters
 * that no step tells apart are one symbol, so that tables over symbols stay narrow.
 */
import { anyRun, everyChar, type PatternTree } from './pattern-tree.ts';

export interface Step {
  /** `fork` goes on at both; `start` and `end` go on there only; `char` takes one character of its set. */
  readonly kind: 'char' | 'start' | 'end' | 'fork' | 'match';
  readonly set: number;
  readonly next: number;
  readonly other: number;
}

export interface Program {
  readonly steps: readonly Step[];
  readonly first: number;
  /** The symbol of each ASCII code, and last that of all characters beyond. */
  readonly symbols: Uint8Array;
  readonly symbolCount: number;
  /** At `set * symbolCount + symbol`: 1 where the set holds the symbol. */
  readonly holds: Uint8Array;
}

/** How many steps the program of a pattern will have, more or less; known without writing its repetitions out. */
export function stepCount(tree: PatternTree): number {
  switch (tree.kind) {
    case 'sequence':
    case 'either':
      return tree.of.reduce((sum, part) => sum + stepCount(part) + (tree.kind === 'either' ? 1 : 0), 0);
    case 'repeat': {
      const [copies, forks] = tree.max === Infinity ? [tree.min, 1] : [tree.max, tree.max - tree.min];
      return stepCount(tree.of) * Math.max(copies, 1) + forks;
    }
    default:
      return 1;
  }
}

/** For a search: the pattern may begin anywhere. */
export function compileProgram(tree: PatternTree): Program {
  const steps: Step[] = [];
  const sets = new Map<string, number>();
  const add = (kind: Step['kind'], next: number, { set = 0, other = 0 } = {}) =>
    steps.push({ kind, set, next, other }) - 1;
  const setNumber = (chars: string) => {
    if (!sets.has(chars)) sets.set(chars, sets.size);
    return sets.get(chars) as number;
  };

  /** Compiled from the back, so that where a step goes on is known before the step. */
  const compile = (part: PatternTree, next: number): number => {
    switch (part.kind) {
      case 'char':
        return add('char', next, { set: setNumber(part.chars) });
      case 'sequence':
        return part.of.reduceRight((after, child) => compile(child, after), next);
      case 'either':
        return part.of
          .map((child) => compile(child, next))
          .reduceRight((rest, child) => add('fork', child, { other: rest }));
      case 'repeat':
        return compileRepeat(part.of, part.min, part.max, next);
      default:
        return add(part.kind, next);
    }
  };
  const compileRepeat = (part: PatternTree, min: number, max: number, next: number): number => {
    let [entry, written] = [next, 0];
    if (max === Infinity) {
      const loop = add('fork', 0, { other: next });
      const body = compile(part, loop);
      steps[loop] = { kind: 'fork', set: 0, next: body, other: next };
      [entry, written] = min === 0 ? [loop, 0] : [body, 1];
    } else {
      for (let index = min; index < max; index += 1) {
        entry = add('fork', compile(part, entry), { other: next });
      }
    }
    for (; written < min; written += 1) entry = compile(part, entry);
    return entry;
  };

  const pattern = compile(tree, add('match', 0));
  const first = beginsAtStart(tree) ? pattern : compile(anyRun, pattern);
  return { steps, first, ...divideIntoSymbols([...sets.keys()]) };
}

/** Such a pattern is given up at the first character that does not fit; others are looked for to the end. */
function beginsAtStart(tree: PatternTree): boolean {
  switch (tree.kind) {
    case 'start':
      return true;
    case 'sequence':
      return tree.of[0] !== undefined && beginsAtStart(tree.of[0]);
    case 'either':
      return tree.of.every(beginsAtStart);
    default:
      return false;
  }
}

/** Each set cuts every symbol into what is inside and what is outside; what no set cuts stays one symbol. */
function divideIntoSymbols(sets: readonly string[]): Pick<Program, 'symbols' | 'symbolCount' | 'holds'> {
  const symbols = new Uint8Array(129);
  let symbolCount = 1;
  for (const chars of sets) {
    if (symbolCount === everyChar.length) break;
    const renamed = new Uint8Array(2 * symbolCount);
    let [count, member] = [0, 0];
    for (let index = 0; index < everyChar.length; index += 1) {
      const code = everyChar.charCodeAt(index);
      // Both strings are in order of code, so one pass over both finds the members.
      const inside = chars.charCodeAt(member) === code ? 1 : 0;
      member += inside;
      const half = 2 * (symbols[code] as number) + inside;
      if (renamed[half] === 0) renamed[half] = ++count;
      symbols[code] = (renamed[half] as number) - 1;
    }
    symbolCount = count;
  }
  const holds = new Uint8Array(sets.length * symbolCount);
  for (const [set, chars] of sets.entries()) {
    for (const char of chars) holds[set * symbolCount + (symbols[char.charCodeAt(0)] as number)] = 1;
  }
  for (const capital of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') {
    symbols[capital.charCodeAt(0)] = symbols[capital.toLowerCase().charCodeAt(0)] as number;
  }
  return { symbols, symbolCount, holds };
}
