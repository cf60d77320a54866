/**
 * A name as sources bring it, in the form in which it is known: lower case, punycode, without `*.` before it and a dot behind it. What
 * cannot be the name of a host below some registered domain is none: addresses, e-mail addresses, words, top-level domains.
 */
import { domainToASCII } from 'node:url';
import { findRegistrableDomain } from '../../model/registrable-domain.ts';

export interface CleanName {
  readonly host: string;
  /** The domain that the host belongs to; the host itself where it is one. */
  readonly domain: string;
}

const nameLengthMax = 253;
/** Labels of hosts, and at the end one that is no number: an address has none. */
const hostName = /^(?:[a-z0-9_-]{1,63}\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** What can be registered has no underscore, and no hyphen at either end. */
const registered = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\./;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const ascii = /^[\x00-\x7f]*$/;

export function cleanName(text: string): CleanName | undefined {
  // Whatever is longer than twice a name is none in any spelling.
  if (text.length > 2 * nameLengthMax) return undefined;
  const host = hostIn(text);
  if (host === undefined || host.length > nameLengthMax || !hostName.test(host)) return undefined;
  const domain = findRegistrableDomain(host);
  return domain !== undefined && registered.test(domain) ? { host, domain } : undefined;
}

function hostIn(text: string): string | undefined {
  let name = text.trim();
  if (name.startsWith('*.')) name = name.slice(2);
  if (name.endsWith('.')) name = name.slice(0, -1);
  // Only what is not ASCII goes to the parser of hosts: it takes `0x7f.1` for an address, and much else for a host.
  return ascii.test(name) ? name.toLowerCase() : domainToASCII(name) || undefined;
}
