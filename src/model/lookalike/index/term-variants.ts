/** Variants of a term that are more than an edit away: homophones, numerals as words or digits, letter pairs, plurals in -es. */

import { asciiHomoglyphs } from '../fold/tables/ascii-homoglyphs.ts';
import { homophones, numerals, spokenLetters } from '../fold/tables/homophones.ts';
import type { Step } from '../match.ts';

interface Rewriting {
  readonly class: 'homophone' | 'numeral' | 'homoglyph';
  readonly from: string;
  readonly to: string;
}

const bothWays = (of: Rewriting['class'], pairs: readonly (readonly [string, string])[]) =>
  pairs.flatMap(([left, right]): Rewriting[] => [
    { class: of, from: left, to: right },
    { class: of, from: right, to: left },
  ]);

const rewritings: readonly Rewriting[] = [
  ...bothWays('homophone', homophones),
  ...spokenLetters.map(([from, to]): Rewriting => ({ class: 'homophone', from, to })),
  ...bothWays('numeral', numerals),
];

/** By the first letter of `from`. */
const byFirst = Map.groupBy(rewritings, ({ from }) => from[0] as string);
const pairsByFirst = Map.groupBy(
  ['d', 'm', 'w'].flatMap((letter) => [
    { class: 'homoglyph' as const, from: letter, to: asciiHomoglyphs[letter] as string },
    { class: 'homoglyph' as const, from: asciiHomoglyphs[letter] as string, to: letter },
  ]),
  ({ from }) => from[0] as string,
);

/** The first numeral word of each digit. */
const digits = new Map(
  numerals
    .filter(([, digit]) => digit.length === 1)
    .map(([word, digit]) => [digit, word])
    .toReversed() as [string, string][],
);

/** A variant and the steps that produce it. */
export interface Variant {
  readonly text: string;
  readonly steps: readonly Step[];
}

const onceMax = 48;
const twiceMax = 96;
const sibilants = 'sxz';

/** The variants after one rewriting, and after two. */
export function rewritten(label: string): {
  readonly once: readonly Variant[];
  readonly twice: readonly Variant[];
} {
  const own = { text: label, steps: [] };
  const once = rewrittenFrom(own, 0).slice(0, onceMax);
  const twice = once.flatMap((variant) => {
    const { at, inserted } = variant.steps[0] as Step;
    return rewrittenFrom(variant, at + inserted.length);
  });
  const spelledOut = allSpelledOut(own);
  if (spelledOut.steps.length > 2) once.push(spelledOut);
  return { once, twice: twice.slice(0, twiceMax) };
}

/** The variant with every digit spelled out. */
function allSpelledOut(own: Variant): Variant {
  let [variant, at] = [own, 0];
  while (at < variant.text.length) {
    const digit = variant.text[at] as string;
    const word = digits.get(digit);
    if (word === undefined) at += 1;
    else {
      const step: Step = { class: 'numeral', at, removed: digit, inserted: word };
      const text = variant.text.slice(0, at) + word + variant.text.slice(at + 1);
      variant = { text, steps: [...variant.steps, step] };
      at += word.length;
    }
  }
  return variant;
}

/** Rewrites once at or after `begin`, so that the result of an earlier rewriting is not rewritten again. */
function rewrittenFrom(variant: Variant, begin: number): Variant[] {
  return changedFrom(variant, begin, byFirst);
}

function changedFrom(
  { text, steps }: Variant,
  begin: number,
  rules: ReadonlyMap<string, readonly Rewriting[]>,
): Variant[] {
  const found: Variant[] = [];
  for (let at = begin; at < text.length; at += 1) {
    for (const { class: of, from, to } of rules.get(text[at] as string) ?? []) {
      if (!text.startsWith(from, at)) continue;
      const step = { class: of, at, removed: from, inserted: to };
      found.push({ text: text.slice(0, at) + to + text.slice(at + from.length), steps: [...steps, step] });
    }
  }
  return found;
}

/** One letter written as the pair that it resembles (m = rn), or the pair as the letter. */
export function reshapings(label: string): readonly Variant[] {
  return changedFrom({ text: label, steps: [] }, 0, pairsByFirst);
}

/** The plural in -es of the label and of its variants. */
export function withEs(label: string): readonly Variant[] {
  return [{ text: label, steps: [] }, ...rewritten(label).once].map(({ text, steps }) => ({
    text: `${text}es`,
    steps: [...steps, { class: 'plural', at: text.length, removed: '', inserted: 'es' }],
  }));
}

/** Whether a plural in -es is plausible here: at the end of the text, or after a sibilant. */
export function takesEs(before: string, isEnd: boolean): boolean {
  return isEnd || sibilants.includes(before);
}

export function pluralsWithEs(label: string): readonly string[] {
  const found: string[] = [];
  for (let at = 1; at <= label.length; at += 1) {
    if (takesEs(label[at - 1] as string, at === label.length))
      found.push(`${label.slice(0, at)}es${label.slice(at)}`);
  }
  return found;
}
