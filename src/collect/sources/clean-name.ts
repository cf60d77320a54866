/**
 * Normalises a name from a source: lower case, punycode, no leading `*.`, no final dot. Undefined for anything but a host name
 * below a registrable domain: addresses, mail addresses, single words, top-level domains.
 */
import { domainToASCII } from 'node:url';
import { findRegistrableDomain } from '../../model/registrable-domain.ts';

export interface CleanName {
  readonly host: string;
  /** The registrable domain; may equal the host. */
  readonly domain: string;
}

const nameLengthMax = 253;
/** Host labels; the last one is not numeric, which excludes addresses. */
const hostName = /^(?:[a-z0-9_-]{1,63}\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** A registrable label has no underscore, and no hyphen at either end. */
const registered = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\./;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const ascii = /^[\x00-\x7f]*$/;

export function cleanName(text: string): CleanName | undefined {
  // Too long in any spelling.
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
  // ASCII bypasses the URL host parser, which reads `0x7f.1` as an address.
  return ascii.test(name) ? name.toLowerCase() : domainToASCII(name) || undefined;
}
