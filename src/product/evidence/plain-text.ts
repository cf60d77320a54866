/** Text of third parties for a document: nothing invisible, nothing that changes the direction of writing, and not too long. */
import { domainToUnicode } from 'node:url';
import { hiddenCharacters } from '../../model/hidden-characters.ts';

const hidden = new RegExp(`[${hiddenCharacters}]+`, 'gu');

export function plainText(text: string, lengthMax = 300): string {
  // Cut before it is searched, and again between characters.
  const cleaned = text
    .slice(0, 4 * lengthMax)
    .toWellFormed()
    .replaceAll(hidden, ' ')
    .replaceAll(/\s+/gu, ' ');
  const characters = Array.from(cleaned.trim());
  return characters.length > lengthMax
    ? `${characters.slice(0, lengthMax - 1).join('')}…`
    : characters.join('');
}

export function unicodeName(domain: string): string {
  return plainText(domainToUnicode(domain) || domain, 255);
}

/** As it is registered, and as it is seen where that differs. */
export function bothNames(domain: string): string {
  const unicode = unicodeName(domain);
  return unicode === domain ? domain : `${unicode} (${domain})`;
}

export function instant(ms: number): string {
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? `${new Date(ms).toISOString().slice(0, 19)}Z` : '';
}
