/**
 * What of a name is judged: the label that somebody chose, and the suffix that it was registered under. A label in punycode is
 * judged by what it looks like, so that `xn--pypal-4ve` is read as `paypal`.
 */
import { skeletonOf } from '../lookalike/fold.ts';
import { punycodeName, unicodeName } from '../lookalike/unicode-name.ts';
import { findRegistrableDomain } from '../registrable-domain.ts';

export interface NameParts {
  /** The domain in punycode, lower case. */
  readonly domain: string;
  /** What the label looks like, in ASCII where it looks like that. */
  readonly label: string;
  readonly suffix: string;
  readonly isInternational: boolean;
}

const nameCharactersMax = 253;
export const labelCharactersMax = 80;
const acePrefix = 'xn--';
const plainName = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;

/** Takes a domain or a host name, in any case, in punycode or Unicode. Undefined for what nobody can register. */
export function findNameParts(name: string): NameParts | undefined {
  const domain = findDomain(name);
  if (domain === undefined) return undefined;
  const dotAt = domain.indexOf('.');
  const label = domain.slice(0, dotAt);
  const suffix = domain.slice(dotAt + 1);
  if (!label.startsWith(acePrefix)) return { domain, label, suffix, isInternational: false };
  return { domain, label: looksOf(label), suffix, isInternational: true };
}

function findDomain(name: string): string | undefined {
  if (name.length > nameCharactersMax) return undefined;
  const plain = name.endsWith('.') ? name.slice(0, -1) : name;
  const lower = plainName.test(plain) ? plain : asPlain(plain);
  if (lower === undefined) return undefined;
  const domain = findRegistrableDomain(lower);
  return domain?.includes('.') ? domain : undefined;
}

function asPlain(name: string): string | undefined {
  const ascii = punycodeName(name.toLowerCase());
  return ascii !== undefined && ascii.length <= nameCharactersMax && plainName.test(ascii)
    ? ascii
    : undefined;
}

function looksOf(label: string): string {
  let looks = '';
  for (const character of unicodeName(label))
    looks += character < '\u0080' ? character : skeletonOf(character);
  return looks.slice(0, labelCharactersMax);
}
