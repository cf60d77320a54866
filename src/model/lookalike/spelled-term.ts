/**
 * A term as it is looked for. A domain (`paypal.com`) is looked for by its label, its suffix says what a swapped one is; hosts
 * below it do not count. In any other term spaces do not count, and hyphens and dots are where the name may have others.
 */
import { parse } from 'tldts';
import { type Letters, lettersOf } from './letters.ts';
import { punycodeName, unicodeName } from './unicode-name.ts';

export interface SpelledTerm {
  /** What the steps of a match begin with. */
  readonly spelling: string;
  readonly label: Letters;
  /** With its dot; empty for a term that is no domain. */
  readonly suffix: string;
}

const hostOptions = { extractHostname: false, validateHostname: false, detectIp: false };
/** No label is longer; the rest of a longer term could not be in one. */
const lettersMax = 63;

export function spelledTerm(text: string): SpelledTerm {
  const spelling = unicodeName(text.trim().slice(0, 1024).toWellFormed().replaceAll(/\s+/g, ''));
  const suffix = suffixOf(spelling);
  const label = spelling.slice(0, spelling.length - suffix.length);
  const own = suffix === '' ? label : label.slice(label.lastIndexOf('.') + 1);
  const letters = lettersOf(own);
  return {
    spelling: own + suffix,
    label: letters.characters.length > lettersMax ? lettersOf('') : letters,
    suffix,
  };
}

function suffixOf(spelling: string): string {
  if (!spelling.includes('.')) return '';
  const { isIcann, publicSuffix, domainWithoutSuffix } = parse(punycodeName(spelling) ?? '', hostOptions);
  if (!isIcann || !publicSuffix || !domainWithoutSuffix) return '';
  const labels = publicSuffix.split('.').length;
  return `.${spelling.split('.').slice(-labels).join('.')}`;
}
