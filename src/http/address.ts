/**
 * Normalizes the URL as sent to the one that routes use: without the mount prefix, with single slashes, in the contract's
 * names. Signatures are verified on the URL as sent, which stays in `request.originalUrl`.
 */
import type { Settings } from '../model/settings/settings.ts';
import { escapedOnce, isGoClient } from './compat/go-dnsdb.ts';
import { pathWords } from './compat/words.ts';
import type { Wording } from './request-state.ts';

export interface Address {
  readonly url: string;
  readonly wording: Wording;
}

export type ReadAddress = (url: string, host: string | undefined, userAgent?: string) => Address;

/** Prefixes under which the same paths are mounted again; clients may leave them out of the path they sign. */
export function mountPrefixes({ http, compat }: Pick<Settings, 'http' | 'compat'>): string[] {
  const outer = http.mountPrefix ? [http.mountPrefix] : [];
  if (compat.profile === 'none') return outer;
  return [...outer.map((prefix) => prefix + compat.mountPrefix), ...outer, compat.mountPrefix];
}

export function addressReader({ http, compat }: Pick<Settings, 'http' | 'compat'>): ReadAddress {
  const vendorHosts = new Set(compat.hosts.map((host) => host.toLowerCase()));
  const translated = compat.profile === 'vendor';
  return (url, host, userAgent) => {
    const { path, query } = split(url);
    let plain = path.includes('//') ? path.replaceAll(/\/{2,}/g, '/') : path;
    if (http.mountPrefix) plain = without(plain, http.mountPrefix) ?? plain;
    if (!translated) return { url: plain + query, wording: 'neutral' };

    const mounted = without(plain, compat.mountPrefix);
    const named = vendorHosts.has((host ?? '').toLowerCase().replace(/:\d+$/, ''));
    const inside = mounted ?? plain;
    const word = pathWords.find(([, vendor]) => without(inside, vendor) !== undefined);
    const neutral = word ? word[0] + inside.slice(word[1].length) : inside;
    if (mounted === undefined && !named && !word) return { url: neutral + query, wording: 'neutral' };
    const read = isGoClient(userAgent) ? escapedOnce(neutral, query) : neutral + query;
    return { url: read, wording: 'vendor' };
  };
}

/** The path of a URL and its query with the question mark. */
export function split(url: string): { path: string; query: string } {
  const queryAt = url.indexOf('?');
  return queryAt < 0 ? { path: url, query: '' } : { path: url.slice(0, queryAt), query: url.slice(queryAt) };
}

/** The rest of a path after a prefix of whole segments; undefined if it does not start with the prefix. */
export function without(path: string, prefix: string): string | undefined {
  if (!path.startsWith(prefix)) return undefined;
  const rest = path.slice(prefix.length);
  if (rest === '') return '/';
  return rest.startsWith('/') ? rest : undefined;
}
