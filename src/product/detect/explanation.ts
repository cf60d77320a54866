/** Why a name was reported, as one English sentence. */
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import type { LookalikeMatch, MatchClass, Step } from '../../model/lookalike/match.ts';

type Reason = Omit<LookalikeMatch, 'term'>;

/** How the matched part of the name was derived from the term. */
const meanings: Readonly<Record<MatchClass, string>> = {
  exact: 'is the term itself',
  affix: 'is the term with something before or behind it',
  combosquat: 'is the term among other words',
  omission: 'is the term with a character left out',
  insertion: 'is the term with a character put in',
  repetition: 'is the term with a character repeated',
  transposition: 'is the term with two neighbours exchanged',
  replacement: 'is the term with a character replaced',
  'vowel-swap': 'is the term with another vowel',
  plural: 'is the term in the plural',
  hyphenation: 'is the term with a hyphen put in',
  'bit-flip': 'is the term with one bit of a character flipped',
  leet: 'is the term with digits or signs in place of letters',
  homoglyph: 'is the term in characters that look alike',
  homophone: 'sounds like the term',
  numeral: 'is the term with a number written in another way',
  'tld-swap': 'is the term under another top-level domain',
  dot: 'is the term with a dot put in or left out',
  subdomain: 'is the term in front of another domain',
  'wrong-second-level': 'is the term under another second-level domain',
  'glued-prefix': 'is the term with www or http glued on',
};

export function explain({ class: kind, steps, text, name }: Reason): string {
  const changes = steps.map(wordsOf).filter((words) => words !== '');
  const how = changes.length === 0 ? '' : `: ${changes.join(', ')}`;
  return `"${escapeForTerminal(text)}" in ${escapeForTerminal(name)} ${meanings[kind]}${how}.`;
}

function wordsOf({ removed, inserted }: Step): string {
  const [before, after] = [escapeForTerminal(removed), escapeForTerminal(inserted)];
  if (removed === '') return inserted === '' ? '' : `"${after}" put in`;
  return inserted === '' ? `"${before}" left out` : `"${before}" became "${after}"`;
}
