/**
 * The domain that one owner decides about: one label and the suffix under which everybody can have a name. Unlike in
 * `base-domain.ts`, private suffixes of the public suffix list count (`pages.dev`), because a site on shared hosting is
 * somebody's own. A suffix that is asked for itself is the domain of whoever runs it.
 */
import { getDomain } from 'tldts';
import { findBaseDomain } from './base-domain.ts';

const options = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
};

/** Takes a name in punycode, lower case, without its final dot. Undefined for a public suffix and below `arpa`. */
export function findRegistrableDomain(name: string): string | undefined {
  const base = findBaseDomain(name);
  if (base === undefined) return undefined;
  return getDomain(name, options) ?? base;
}
