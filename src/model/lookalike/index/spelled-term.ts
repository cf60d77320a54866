/**
 * A term in normalized spelling. For a domain (`paypal.com`) the label is matched and the suffix decides what a TLD swap is;
 * subdomains are dropped. In any other term spaces are dropped, and hyphens and dots are optional.
 */
import { parse } from 'tldts';
import { type Letters, lettersOf } from '../align/letters.ts';
import { punycodeName, unicodeName } from '../fold/unicode-name.ts';

export interface SpelledTerm {
  /** The text that the steps of a match start from. */
  readonly spelling: string;
  readonly label: Letters;
  /** With its leading dot; empty for a term that is not a domain. */
  readonly suffix: string;
}

const hostOptions = { extractHostname: false, validateHostname: false, detectIp: false };
/** The maximum length of a DNS label: a longer term cannot match. */
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
