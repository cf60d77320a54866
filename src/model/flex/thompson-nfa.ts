/**
 * A pattern as a nondeterministic finite automaton by Thompson's construction (Thompson 1968, Regular Expression Search
 * Algorithm, https://doi.org/10.1145/363347.363387; Cox 2007, https://swtch.com/~rsc/regexp/regexp1.html). Characters that no
 * state distinguishes form one equivalence class, here a symbol (RE2's bytemap), which keeps transition tables narrow.
 */
import { anyString, everyChar, type PatternTree } from './pattern-tree.ts';

export interface NfaState {
  /** `split` leads to `next` and `other`; `start` and `end` are the anchors; `char` consumes one character of its set. */
  readonly kind: 'char' | 'start' | 'end' | 'split' | 'match';
  readonly set: number;
  readonly next: number;
  readonly other: number;
}

export interface Nfa {
  readonly states: readonly NfaState[];
  readonly first: number;
  /** The symbol of each ASCII code; the last element is that of all other characters. */
  readonly symbols: Uint8Array;
  readonly symbolCount: number;
  /** At `set * symbolCount + symbol`: 1 where the set contains the symbol. */
  readonly contains: Uint8Array;
}

/** About how many states the automaton of a pattern will have, computed without expanding its repetitions. */
export function stateCount(tree: PatternTree): number {
  switch (tree.kind) {
    case 'sequence':
    case 'either':
      return tree.of.reduce((sum, part) => sum + stateCount(part) + (tree.kind === 'either' ? 1 : 0), 0);
    case 'repeat': {
      const [copies, splits] = tree.max === Infinity ? [tree.min, 1] : [tree.max, tree.max - tree.min];
      return stateCount(tree.of) * Math.max(copies, 1) + splits;
    }
    default:
      return 1;
  }
}

/** Compiles for an unanchored search: a match may begin anywhere. */
export function compileNfa(tree: PatternTree): Nfa {
  const states: NfaState[] = [];
  const sets = new Map<string, number>();
  const add = (kind: NfaState['kind'], next: number, { set = 0, other = 0 } = {}) =>
    states.push({ kind, set, next, other }) - 1;
  const setNumber = (chars: string) => {
    if (!sets.has(chars)) sets.set(chars, sets.size);
    return sets.get(chars) as number;
  };

  /** Compiled back to front, so that the successor of a state exists before the state. */
  const compile = (part: PatternTree, next: number): number => {
    switch (part.kind) {
      case 'char':
        return add('char', next, { set: setNumber(part.chars) });
      case 'sequence':
        return part.of.reduceRight((after, child) => compile(child, after), next);
      case 'either':
        return part.of
          .map((child) => compile(child, next))
          .reduceRight((rest, child) => add('split', child, { other: rest }));
      case 'repeat':
        return compileRepeat(part.of, part.min, part.max, next);
      default:
        return add(part.kind, next);
    }
  };
  const compileRepeat = (part: PatternTree, min: number, max: number, next: number): number => {
    let [entry, written] = [next, 0];
    if (max === Infinity) {
      const loop = add('split', 0, { other: next });
      const body = compile(part, loop);
      states[loop] = { kind: 'split', set: 0, next: body, other: next };
      [entry, written] = min === 0 ? [loop, 0] : [body, 1];
    } else {
      for (let index = min; index < max; index += 1) {
        entry = add('split', compile(part, entry), { other: next });
      }
    }
    for (; written < min; written += 1) entry = compile(part, entry);
    return entry;
  };

  const pattern = compile(tree, add('match', 0));
  const first = isAnchoredAtStart(tree) ? pattern : compile(anyString, pattern);
  return { states, first, ...partitionIntoSymbols([...sets.keys()]) };
}

/** Whether every match begins at the start of the text, so that the search needs no leading `.*`. */
function isAnchoredAtStart(tree: PatternTree): boolean {
  switch (tree.kind) {
    case 'start':
      return true;
    case 'sequence':
      return tree.of[0] !== undefined && isAnchoredAtStart(tree.of[0]);
    case 'either':
      return tree.of.every(isAnchoredAtStart);
    default:
      return false;
  }
}

/** Partition refinement: each set splits every symbol into the characters inside and outside it. */
function partitionIntoSymbols(sets: readonly string[]): Pick<Nfa, 'symbols' | 'symbolCount' | 'contains'> {
  const symbols = new Uint8Array(129);
  let symbolCount = 1;
  for (const chars of sets) {
    if (symbolCount === everyChar.length) break;
    const refined = new Uint8Array(2 * symbolCount);
    let [count, member] = [0, 0];
    for (let index = 0; index < everyChar.length; index += 1) {
      const code = everyChar.charCodeAt(index);
      // Both strings are sorted by code, so one pass over both finds the members.
      const inside = chars.charCodeAt(member) === code ? 1 : 0;
      member += inside;
      const half = 2 * (symbols[code] as number) + inside;
      if (refined[half] === 0) refined[half] = ++count;
      symbols[code] = (refined[half] as number) - 1;
    }
    symbolCount = count;
  }
  const contains = new Uint8Array(sets.length * symbolCount);
  for (const [set, chars] of sets.entries()) {
    for (const char of chars) contains[set * symbolCount + (symbols[char.charCodeAt(0)] as number)] = 1;
  }
  for (const capital of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') {
    symbols[capital.charCodeAt(0)] = symbols[capital.toLowerCase().charCodeAt(0)] as number;
  }
  return { symbols, symbolCount, contains };
}
