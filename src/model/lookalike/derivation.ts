/** From the term to the text in steps that can be followed: what divides the letters, then the letters, then the rest. */
import type { Alignment, Move } from './alignment.ts';
import { symbolsOf } from './fold.ts';
import type { Letters } from './letters.ts';
import type { MatchClass, Step } from './match.ts';

/** Steps from the text of `term` to the stretch of `name` with which its letters are aligned. */
export function stepsOf(term: Letters, name: Letters, alignment: Alignment): readonly Step[] {
  const text = name.text.slice(name.starts[alignment.from], name.ends[alignment.to - 1]);
  if (text === term.text) return [];
  const kept = derive(term, name, alignment, true);
  if (kept.now === text) return kept.steps;
  // An edit beside a hyphen that both have may go to its wrong side: then all hyphens are taken out and put in.
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

  /** Where so many letters are before. */
  behindLetters(count: number): number {
    let [at, letters] = [0, 0];
    for (const character of this.now) {
      if (letters === count) break;
      at += character.length;
      if (symbolsOf(character) !== '') letters += 1;
    }
    return at;
  }

  /** Where the letter with this number begins, behind what divides it from the one before. */
  letter(number: number): number {
    let at = this.behindLetters(number);
    for (const character of this.now.slice(at)) {
      if (symbolsOf(character) !== '') return at;
      at += character.length;
    }
    return this.behindLetters(number);
  }
}

function derive(term: Letters, name: Letters, { moves, from, to }: Alignment, keeps: boolean): Derivation {
  const derivation = new Derivation(term.text);
  const keptGaps = new Set<number>();
  const letters = term.characters.length;
  for (let before = 0; before <= letters; before += 1) {
    const gap = gapBefore(term, before);
    if (gap === '') continue;
    const isInside = before > 0 && before < letters;
    const kept = keeps && isInside ? findKept(moves, name, before, gap) : undefined;
    if (kept === undefined) derivation.change(gapClass(gap), derivation.behindLetters(before), gap, '');
    else keptGaps.add(kept);
  }
  for (const move of moves) follow(derivation, term, name, move, from);
  for (let at = from + 1; at < to; at += 1) {
    const gap = gapBefore(name, at);
    if (gap !== '' && !keptGaps.has(at))
      derivation.change(gapClass(gap), derivation.behindLetters(at - from), '', gap);
  }
  return derivation;
}

function follow(derivation: Derivation, term: Letters, name: Letters, move: Move, from: number): void {
  if (move.class === 'same') return;
  const at = derivation.letter(move.toAt - from);
  const letters = term.characters.slice(move.fromAt, move.fromEnd);
  if (move.class !== 'transposition') {
    const inserted = name.characters.slice(move.toAt, move.toEnd).join('');
    derivation.change(move.class, at, letters.join(''), inserted);
    return;
  }
  if (letters.length === 3)
    derivation.change('omission', at + (letters[0] as string).length, letters[1] as string, '');
  const [first, second] = [letters[0] as string, letters.at(-1) as string];
  derivation.change('transposition', at, first + second, second + first);
  if (move.toEnd - move.toAt === 3) {
    derivation.change('insertion', at + second.length, '', name.characters[move.toAt + 1] as string);
  }
  const exchanged = [second, ...name.characters.slice(move.toAt + 1, move.toEnd - 1), first];
  let place = at;
  exchanged.forEach((letter, index) => {
    const other = name.characters[move.toAt + index] as string;
    derivation.change(/[0-9]/.test(letter + other) ? 'leet' : 'homoglyph', place, letter, other);
    place += other.length;
  });
}

/** Before which letter of the name the same divides, if the letters on both sides were aligned so. */
function findKept(moves: readonly Move[], name: Letters, before: number, gap: string): number | undefined {
  return moves.find(({ fromAt, toAt }) => fromAt === before && gapBefore(name, toAt) === gap)?.toAt;
}

function gapBefore({ text, starts, ends }: Letters, letter: number): string {
  return text.slice(letter === 0 ? 0 : ends[letter - 1], starts[letter] ?? text.length);
}

function gapClass(gap: string): MatchClass {
  if (gap.includes('.')) return 'dot';
  return /[-_\s]/.test(gap) ? 'hyphenation' : 'homoglyph';
}

/** What the steps make of a text. */
export function follows(text: string, steps: readonly Step[]): string {
  let now = text;
  for (const { at, removed, inserted } of steps) {
    if (now.slice(at, at + removed.length) !== removed)
      throw new Error(`${removed} is not at ${at} of ${now}`);
    now = now.slice(0, at) + inserted + now.slice(at + removed.length);
  }
  return now;
}
