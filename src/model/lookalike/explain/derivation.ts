/**
 * Explains an alignment as a derivation: steps that lead from the term to the matched text. First dots and hyphens of the term
 * are removed, then letters are edited, then dots and hyphens of the name are inserted.
 */
import type { Alignment, EditOperation } from '../align/alignment.ts';
import type { Letters } from '../align/letters.ts';
import { symbolsOf } from '../fold/fold.ts';
import type { MatchClass, Step } from '../match.ts';

/** The steps from the text of `term` to the span of `name` that its letters are aligned with. */
export function derivationSteps(term: Letters, name: Letters, alignment: Alignment): readonly Step[] {
  const text = name.text.slice(name.starts[alignment.from], name.ends[alignment.to - 1]);
  if (text === term.text) return [];
  const kept = derive(term, name, alignment, true);
  if (kept.now === text) return kept.steps;
  // An edit beside a hyphen that both have may land on its wrong side: then all hyphens are removed and inserted again.
  return derive(term, name, alignment, false).steps;
}

class Derivation {
  now: string;
  readonly steps: Step[] = [];

  constructor(text: string) {
    this.now = text;
  }

  change(of: MatchClass, at: number, removed: string, inserted: string): void {
    if (removed === inserted) return;
    this.now = this.now.slice(0, at) + inserted + this.now.slice(at + removed.length);
    this.steps.push({ class: of, at, removed, inserted });
  }

  /** The offset after `count` letters. */
  afterLetters(count: number): number {
    let [at, letters] = [0, 0];
    for (const character of this.now) {
      if (letters === count) break;
      at += character.length;
      if (symbolsOf(character) !== '') letters += 1;
    }
    return at;
  }

  /** The offset of the letter with this index, after any dot or hyphen before it. */
  letter(number: number): number {
    let at = this.afterLetters(number);
    for (const character of this.now.slice(at)) {
      if (symbolsOf(character) !== '') return at;
      at += character.length;
    }
    return this.afterLetters(number);
  }
}

function derive(
  term: Letters,
  name: Letters,
  { operations, from, to }: Alignment,
  keeps: boolean,
): Derivation {
  const derivation = new Derivation(term.text);
  const keptGaps = new Set<number>();
  const letters = term.characters.length;
  for (let before = 0; before <= letters; before += 1) {
    const gap = gapBefore(term, before);
    if (gap === '') continue;
    const isInside = before > 0 && before < letters;
    const kept = keeps && isInside ? findKept(operations, name, before, gap) : undefined;
    if (kept === undefined) derivation.change(gapClass(gap), derivation.afterLetters(before), gap, '');
    else keptGaps.add(kept);
  }
  for (const operation of operations) applyOperation(derivation, term, name, operation, from);
  for (let at = from + 1; at < to; at += 1) {
    const gap = gapBefore(name, at);
    if (gap !== '' && !keptGaps.has(at))
      derivation.change(gapClass(gap), derivation.afterLetters(at - from), '', gap);
  }
  return derivation;
}

function applyOperation(
  derivation: Derivation,
  term: Letters,
  name: Letters,
  operation: EditOperation,
  from: number,
): void {
  if (operation.class === 'same') return;
  const at = derivation.letter(operation.toAt - from);
  const letters = term.characters.slice(operation.fromAt, operation.fromEnd);
  if (operation.class !== 'transposition') {
    const inserted = name.characters.slice(operation.toAt, operation.toEnd).join('');
    derivation.change(operation.class, at, letters.join(''), inserted);
    return;
  }
  if (letters.length === 3)
    derivation.change('omission', at + (letters[0] as string).length, letters[1] as string, '');
  const [first, second] = [letters[0] as string, letters.at(-1) as string];
  derivation.change('transposition', at, first + second, second + first);
  if (operation.toEnd - operation.toAt === 3) {
    derivation.change('insertion', at + second.length, '', name.characters[operation.toAt + 1] as string);
  }
  const exchanged = [second, ...name.characters.slice(operation.toAt + 1, operation.toEnd - 1), first];
  let offset = at;
  exchanged.forEach((letter, index) => {
    const other = name.characters[operation.toAt + index] as string;
    derivation.change(/[0-9]/.test(letter + other) ? 'leet' : 'homoglyph', offset, letter, other);
    offset += other.length;
  });
}

/** The letter of the name before which the same gap occurs, if the letter after the gap is aligned there. */
function findKept(
  operations: readonly EditOperation[],
  name: Letters,
  before: number,
  gap: string,
): number | undefined {
  return operations.find(({ fromAt, toAt }) => fromAt === before && gapBefore(name, toAt) === gap)?.toAt;
}

function gapBefore({ text, starts, ends }: Letters, letter: number): string {
  return text.slice(letter === 0 ? 0 : ends[letter - 1], starts[letter] ?? text.length);
}

function gapClass(gap: string): MatchClass {
  if (gap.includes('.')) return 'dot';
  return /[-_\s]/.test(gap) ? 'hyphenation' : 'homoglyph';
}

/** Applies the steps to a text. */
export function applySteps(text: string, steps: readonly Step[]): string {
  let now = text;
  for (const { at, removed, inserted } of steps) {
    if (now.slice(at, at + removed.length) !== removed)
      throw new Error(`${removed} is not at ${at} of ${now}`);
    now = now.slice(0, at) + inserted + now.slice(at + removed.length);
  }
  return now;
}
