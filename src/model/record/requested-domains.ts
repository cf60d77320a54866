/** Domains that a client requests by name, and why a text is no domain name. */
import { isIP } from 'node:net';
import { normaliseText } from './normalise-text.ts';

export interface RequestedDomain {
  readonly written: string;
  /** In punycode; undefined for a text that is no domain name, which has no record. */
  readonly name: string | undefined;
}

const shownCharactersMax = 80;
const hostLengthMax = 1024;

/** In punycode and lower case without the final dot, as in records. Has at least two labels. */
export function findDomainName(text: string): string | undefined {
  const made = normaliseText('host', text);
  return 'text' in made && made.text.includes('.') ? made.text : undefined;
}

/** Of several spellings of a name the first is kept. */
export function requestedDomains(items: readonly string[]): readonly RequestedDomain[] {
  const domains = new Map<string, RequestedDomain>();
  for (const written of items) {
    const name = findDomainName(written);
    if (!domains.has(name ?? written)) domains.set(name ?? written, { written, name });
  }
  return [...domains.values()];
}

/** What is wrong with a list of domains; a text that is no domain name is accepted beside others that are. */
export function findListFault(items: readonly string[], namesMax: number): string | undefined {
  if (items.length > namesMax) return `must not have more than ${namesMax} domains`;
  if (items.some((item) => findDomainName(item) !== undefined)) return undefined;
  const [first, ...others] = items;
  if (first === undefined) return 'must have at least one domain';
  const reason = notDomainName(first);
  return others.length === 0 ? reason : `none of the ${items.length} values is a domain name: ${reason}`;
}

/** Why a text is no domain name, and what to send instead. */
export function notDomainName(written: string): string {
  const shown = quoted(written);
  const text = written.slice(0, hostLengthMax);
  if (isIP(text.replace(/^\[|\]$/g, '')) !== 0) return `${shown} is an IP address, not a domain name`;
  if (text.includes(',')) return `${shown} is a list; send one domain`;
  const host = hostWithin(text);
  const advice = host === undefined ? '' : `; send ${host}`;
  if (/[/?#]/.test(text)) return `${shown} is a URL${advice}`;
  if (text.includes('@')) return `${shown} is an e-mail address${advice}`;
  if (host !== undefined) return `${shown} is a host with a port${advice}`;
  if (text.includes('..') || text.startsWith('.')) return `${shown} has an empty label`;
  if ('text' in normaliseText('host', text))
    return `${shown} has no top-level domain; send a name such as ${text}.com`;
  return `${shown} is not a domain name`;
}

/** The domain name within a URL, an e-mail address, or a host with a port. */
function hostWithin(text: string): string | undefined {
  const [, host] =
    /^(?:[a-z][a-z0-9+.-]*:\/\/|mailto:)?(?:[^\s/@]*@)?([^\s/?#:@]+)(?::\d*)?(?:[/?#].*)?$/is.exec(
      text.trim(),
    ) ?? [];
  return host === undefined || host === text ? undefined : findDomainName(host);
}

/** Control characters and undecodable bytes are shown as escapes. */
function quoted(text: string): string {
  const [start, end] = [text.slice(0, shownCharactersMax), text.length > shownCharactersMax ? '…' : ''];
  const escaped = JSON.stringify(start.toWellFormed()).slice(1, -1);
  return `"${escaped.replaceAll(/[\p{Cc}\p{Cf}\ufffd]/gu, escapeOf)}${end}"`;
}

function escapeOf(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
