/**
 * How crews change a brand's word. Each way has a name, and every name they think of is like the word by it: exchanged neighbours, letters
 * that look alike (in ASCII, and from other scripts), a letter twice or left out, words beside it, or the word itself under another
 * top-level domain.
 */
import { domainToASCII } from 'node:url';
import type { Brand } from './brands.ts';
import type { Random } from './random.ts';
import { topLevelDomains, topLevelOf } from './top-level-domains.ts';

type Change = (word: string, random: Random) => string;

const luringWords = ['login', 'secure', 'support', 'verify', 'account', 'billing', 'update', 'help', 'pay'];

const asciiHomoglyphs: Readonly<Record<string, string>> = {
  l: '1',
  i: '1',
  o: '0',
  m: 'rn',
  w: 'vv',
  e: '3',
  d: 'cl',
};

const scriptHomoglyphs: Readonly<Record<string, string>> = {
  a: 'а',
  e: 'е',
  o: 'о',
  p: 'р',
  c: 'с',
  i: 'í',
  l: 'ł',
  r: 'ŕ',
  t: 'ţ',
  n: 'ñ',
};

const changes: readonly Change[] = [
  function swapped(word, random) {
    const at = random.between(1, word.length - 2);
    return `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`;
  },
  (word, random) => replaced(word, asciiHomoglyphs, random),
  (word, random) => replaced(word, scriptHomoglyphs, random),
  function doubled(word, random) {
    const at = random.below(word.length);
    return `${word.slice(0, at)}${word[at]}${word.slice(at)}`;
  },
  function omitted(word, random) {
    const at = random.between(1, word.length - 2);
    return word.slice(0, at) + word.slice(at + 1);
  },
  (word, random) => `${word}-${random.pick(luringWords)}`,
  (word, random) => `${random.pick(luringWords)}-${word}`,
  (word, random) => `${word}${random.pick(luringWords)}`,
  (word) => word,
];

const triesMax = 60;

/** Punycode. Undefined where every name that comes to mind is taken. */
export function findLookalike(
  brand: Brand,
  random: Random,
  isTaken: (name: string) => boolean,
): string | undefined {
  const elsewhere = topLevelDomains.filter((each) => each !== topLevelOf(brand.domain));
  for (let tries = 0; tries < triesMax; tries += 1) {
    const label = random.pick(changes)(brand.word, random);
    const name = domainToASCII(`${label}.${random.pick(elsewhere)}`);
    if (name !== '' && !isTaken(name)) return name;
  }
  return undefined;
}

function replaced(word: string, lookalikes: Readonly<Record<string, string>>, random: Random): string {
  const positions = word.split('').flatMap((letter, at) => (Object.hasOwn(lookalikes, letter) ? [at] : []));
  if (positions.length === 0) return `${word}-${random.pick(luringWords)}`;
  const at = random.pick(positions);
  return `${word.slice(0, at)}${lookalikes[word[at] as string]}${word.slice(at + 1)}`;
}
