/** The URL of the next page: the same request as a GET, without credentials. */
import type { FastifyRequest } from 'fastify';
import { searchHash } from '../../product/investigate/search-hash.ts';
import type { SearchText } from '../../product/investigate/search-text.ts';
import { split, without } from '../address.ts';
import { isSearchName, textsOf, wishParameters } from './investigate-parameters.ts';
import type { Sent } from './sent.ts';

/** A search that is longer than clients and proxies like a URL to be travels as its hash. */
const queryLengthMax = 4000;
const wishNames = new Set([...Object.keys(wishParameters.properties), 'format']);

export interface NextPage {
  readonly request: FastifyRequest;
  readonly sent: Sent;
  readonly search: SearchText;
  readonly position: string;
}

/** `serverUrl` is where clients reach us, mount prefix included; a URL is never made from a Host header. */
export function nextPageUrl(
  { request, sent, search, position }: NextPage,
  { serverUrl, mountPrefix, linkKey }: { serverUrl: string; mountPrefix: string; linkKey: Buffer },
): string {
  const asked = new URLSearchParams();
  const wishes = new URLSearchParams();
  for (const [name, value] of sent.values) {
    const into = isSearchName(name) || name === 'search_hash' ? asked : wishes;
    if (into === wishes && (!wishNames.has(name) || name === 'position')) continue;
    for (const text of textsOf(name, value)) into.append(name, text);
  }
  const long = sent.query !== undefined || asked.toString().length > queryLengthMax;
  const what = long ? new URLSearchParams({ search_hash: searchHash(search, linkKey) }) : asked;
  wishes.append('position', position);
  const { path } = split(request.originalUrl);
  const plain = path.replaceAll(/\/{2,}/g, '/');
  const inside = mountPrefix ? (without(plain, mountPrefix) ?? plain) : plain;
  return `${serverUrl}${inside}?${what.toString()}&${wishes.toString()}`;
}
