/**
 * The parts of a name that are scored: the registered label and its public suffix. A label in punycode is replaced by its confusables
 * skeleton, so that `xn--pypal-4ve` is read as `paypal`.
 */
import { skeletonOf } from '../../lookalike/fold/fold.ts';
import { punycodeName, unicodeName } from '../../lookalike/fold/unicode-name.ts';
import { findRegistrableDomain } from '../../registrable-domain.ts';

export interface NameParts {
  /** The domain in punycode, lower case. */
  readonly domain: string;
  /** The label, or its skeleton if it is internationalized. */
  readonly label: string;
  readonly suffix: string;
  readonly isInternational: boolean;
}

const nameCharactersMax = 253;
export const labelCharactersMax = 80;
const acePrefix = 'xn--';
const plainName = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;

/** Accepts a domain or a host name, in any case, in punycode or Unicode. Undefined if there is no registrable domain. */
export function findNameParts(name: string): NameParts | undefined {
  const domain = findDomain(name);
  if (domain === undefined) return undefined;
  const dotAt = domain.indexOf('.');
  const label = domain.slice(0, dotAt);
  const suffix = domain.slice(dotAt + 1);
  if (!label.startsWith(acePrefix)) return { domain, label, suffix, isInternational: false };
  return { domain, label: labelSkeleton(label), suffix, isInternational: true };
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

function labelSkeleton(label: string): string {
  let skeleton = '';
  for (const character of unicodeName(label))
    skeleton += character < '\u0080' ? character : skeletonOf(character);
  return skeleton.slice(0, labelCharactersMax);
}
