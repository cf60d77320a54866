/** The edits by which an attacker derives a lookalike name from a term. */
import * as fc from 'fast-check';
import { homophones, numerals } from '../../../src/model/lookalike/fold/tables/homophones.ts';

/** The edited term, and the text before and after it. */
export interface Attack {
  readonly text: string;
  readonly before: string;
  readonly after: string;
}

export interface AttackerEdit {
  readonly name: string;
  /**
   * `folding`: looks the same. `edit`: does not. `word`: sounds the same, applied before all others. `position`: where the text is
   * placed in the name.
   */
  readonly kind: 'folding' | 'word' | 'edit' | 'position' | 'inside';
  /** Two numbers select the variant. Undefined if the edit is not applicable. */
  readonly make: (attack: Attack, one: number, other: number) => Attack | undefined;
}

const pick = <Item>(items: readonly Item[], number: number) => items[number % items.length] as Item;
const letters = Array.from('abcdefghijklmnopqrstuvwxyz0123456789');

function onText(
  make: (text: string, one: number, other: number) => string | undefined,
): AttackerEdit['make'] {
  return (attack, one, other) => {
    const text = make(attack.text, one, other);
    return text === undefined || text === '' ? undefined : { ...attack, text };
  };
}

/** Replaces one occurrence of the first text of a pair by the second. */
function exchange(pairs: readonly (readonly [string, string])[]): AttackerEdit['make'] {
  return onText((text, one) => {
    const occurrences = pairs.flatMap(([from, to]) =>
      Array.from(text.matchAll(new RegExp(from, 'g')), ({ index }) => [index, from, to] as const),
    );
    if (occurrences.length === 0) return undefined;
    const [at, from, to] = pick(occurrences, one);
    return text.slice(0, at) + to + text.slice(at + from.length);
  });
}

const splice = (text: string, at: number, removed: number, inserted: string) =>
  text.slice(0, at) + inserted + text.slice(at + removed);

/** A letter, not a separator. */
const isLetter = (character: string | undefined) => character !== undefined && !'-.'.includes(character);

const leet = Object.entries({
  o: '0',
  l: '1',
  i: '1',
  z: '2',
  e: '3',
  a: '4',
  s: '5',
  g: '9',
  t: '7',
  b: '8',
});
const glyphs = [
  ...Array.from('aаɑàáä').map((one) => ['a', one] as const),
  ...Array.from('eеéè').map((one) => ['e', one] as const),
  ...Array.from('oоοóö').map((one) => ['o', one] as const),
  ...Array.from('pр').map((one) => ['p', one] as const),
  ...Array.from('sѕ').map((one) => ['s', one] as const),
  ...Array.from('nñ').map((one) => ['n', one] as const),
  ...Array.from('kк').map((one) => ['k', one] as const),
].filter(([from, to]) => from !== to);

export const attackerEdits: readonly AttackerEdit[] = [
  { name: 'leet', kind: 'folding', make: exchange(leet) },
  { name: 'Unicode homoglyph', kind: 'folding', make: exchange(glyphs) },
  {
    name: 'ASCII homoglyph',
    kind: 'folding',
    make: exchange([
      ['m', 'rn'],
      ['w', 'vv'],
      ['d', 'cl'],
      ['i', 'l'],
      ['l', 'i'],
    ]),
  },
  {
    name: 'pair read as a letter',
    kind: 'word',
    make: exchange([
      ['rn', 'm'],
      ['vv', 'w'],
      ['cl', 'd'],
    ]),
  },
  {
    name: 'homophone',
    kind: 'word',
    make: exchange([...homophones, ...homophones.map(([a, b]) => [b, a] as const)]),
  },
  {
    name: 'numeral',
    kind: 'word',
    make: exchange([...numerals, ...numerals.map(([a, b]) => [b, a] as const)]),
  },
  {
    name: 'hyphenation',
    kind: 'folding',
    make: onText((text, one) => splice(text, 1 + (one % (text.length - 1)), 0, '-')),
  },
  {
    name: 'dot',
    kind: 'folding',
    make: onText((text, one) => {
      const at = 1 + (one % (text.length - 1));
      return isLetter(text[at]) && isLetter(text[at - 1]) && !text.includes('.')
        ? splice(text, at, 0, '.')
        : undefined;
    }),
  },
  {
    name: 'omission',
    kind: 'edit',
    make: onText((text, one) =>
      isLetter(text[one % text.length]) ? splice(text, one % text.length, 1, '') : undefined,
    ),
  },
  {
    name: 'insertion',
    kind: 'edit',
    make: onText((text, one, other) => splice(text, one % (text.length + 1), 0, pick(letters, other))),
  },
  {
    name: 'repetition',
    kind: 'edit',
    make: onText((text, one) => {
      const letter = text[one % text.length] as string;
      return isLetter(letter) ? splice(text, one % text.length, 0, letter) : undefined;
    }),
  },
  {
    name: 'transposition',
    kind: 'edit',
    make: onText((text, one) => {
      const at = one % (text.length - 1);
      const [left, right] = [text[at] as string, text[at + 1] as string];
      return isLetter(left) && isLetter(right) ? splice(text, at, 2, right + left) : undefined;
    }),
  },
  {
    name: 'replacement',
    kind: 'edit',
    make: onText((text, one, other) =>
      isLetter(text[one % text.length])
        ? splice(text, one % text.length, 1, pick(letters, other))
        : undefined,
    ),
  },
  {
    name: 'vowel swap',
    kind: 'edit',
    make: (attack, one, other) =>
      exchange(Array.from('aeiou').map((vowel) => [vowel, pick(Array.from('aeiou'), other)]))(attack, one, 0),
  },
  {
    name: 'bit flip',
    kind: 'edit',
    make: onText((text, one, other) => {
      const flipped = String.fromCharCode(text.charCodeAt(one % text.length) ^ (1 << (other % 8)));
      return isLetter(text[one % text.length]) && letters.includes(flipped)
        ? splice(text, one % text.length, 1, flipped)
        : undefined;
    }),
  },
  { name: 'plural', kind: 'edit', make: onText((text, one) => text + pick(['s', 'es'], one)) },
  {
    name: 'prefix',
    kind: 'inside',
    make: (attack, one) => ({
      ...attack,
      before: `${pick(['secure-', 'login', 'x', 'my-', '24-'], one)}${attack.before}`,
    }),
  },
  {
    name: 'suffix',
    kind: 'inside',
    make: (attack, one) => ({
      ...attack,
      after: pick(['-login', 'online', 'q', '-com', 'com', '24'], one) + attack.after,
    }),
  },
  {
    name: 'glued prefix',
    kind: 'position',
    make: (attack, one) =>
      attack.before === ''
        ? { ...attack, before: pick(['www', 'http', 'https', 'ww', 'www-'], one) }
        : undefined,
  },
  { name: 'other TLD', kind: 'position', make: (attack) => ({ ...attack, after: `${attack.after}.top` }) },
  {
    name: 'subdomain',
    kind: 'position',
    make: (attack) => ({ ...attack, after: `${attack.after}.com.evil` }),
  },
  {
    name: 'below a host',
    kind: 'position',
    make: (attack) => ({ ...attack, before: `www.${attack.before}` }),
  },
];

/** Random edits, with two numbers for each. */
export const arbitraryEdits = fc.array(
  fc.tuple(fc.constantFrom(...attackerEdits), fc.nat({ max: 9999 }), fc.nat({ max: 9999 })),
  { minLength: 1, maxLength: 2 },
);
