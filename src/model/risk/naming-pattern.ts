/**
 * Names that come in series are alike but for their numbers and their suffix: `login-acme-17.top`, `login-acme-204.xyz`. What they have
 * in common is a link only where nobody else would think of it, because nobody counts who has it.
 */
import { findNameParts } from './name-parts.ts';

const lettersMin = 7;
const plainLettersMin = 14;

/** The label with every number as 0; undefined where it is too short to be of one maker. */
export function findNamingPattern(domain: string): string | undefined {
  const parts = findNameParts(domain);
  if (!parts) return undefined;
  const label = parts.domain.slice(0, parts.domain.indexOf('.'));
  const letters = label.replaceAll(/[^a-z]/g, '').length;
  const isComposed = /[0-9-]/.test(label);
  if (letters < (isComposed ? lettersMin : plainLettersMin)) return undefined;
  return label.replaceAll(/\d+/g, '0');
}
