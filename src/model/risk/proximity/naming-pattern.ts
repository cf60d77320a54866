/**
 * The naming pattern of domains that are registered in series and differ only in numbers and suffix: `login-acme-17.top`,
 * `login-acme-204.xyz`. Domains with a pattern are not counted, so only patterns that are unlikely to be chosen twice are links.
 */
import { findNameParts } from '../name/name-parts.ts';

const lettersMin = 7;
const plainLettersMin = 14;

/** The label with every number replaced by 0; undefined if it is too short to be distinctive. */
export function findNamingPattern(domain: string): string | undefined {
  const parts = findNameParts(domain);
  if (!parts) return undefined;
  const label = parts.domain.slice(0, parts.domain.indexOf('.'));
  const letters = label.replaceAll(/[^a-z]/g, '').length;
  const isComposed = /[0-9-]/.test(label);
  if (letters < (isComposed ? lettersMin : plainLettersMin)) return undefined;
  return label.replaceAll(/\d+/g, '0');
}
