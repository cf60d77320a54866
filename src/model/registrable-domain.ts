/**
 * The domain under the control of one registrant: the suffix and one more label. Unlike in `base-domain.ts`, private suffixes of the
 * public suffix list (`pages.dev`) count, because each site on shared hosting has an owner of its own. A private suffix itself is a
 * domain of its operator.
 */
import { getDomain } from 'tldts';
import { findBaseDomain } from './base-domain.ts';

const options = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
};

/** For a name in punycode, lower case, without its final dot. Undefined for a public suffix and below `arpa`. */
export function findRegistrableDomain(name: string): string | undefined {
  const base = findBaseDomain(name);
  if (base === undefined) return undefined;
  return getDomain(name, options) ?? base;
}
