/** The URL of the next page: the same request as a GET, without credentials. */
import type { FastifyRequest } from 'fastify';
import { searchHash } from '../../../product/investigate/search-hash.ts';
import type { SearchText } from '../../../product/investigate/search-text.ts';
import { split, without } from '../../address.ts';
import type { RawParameters } from '../operation/raw-parameters.ts';
import { isSearchName, responseOptions, textsOf } from './search-parameters.ts';

/** A search longer than clients and proxies accept in a URL is sent as its hash. */
const queryLengthMax = 4000;
const optionNames = new Set([...Object.keys(responseOptions.properties), 'format']);

export interface NextPage {
  readonly request: FastifyRequest;
  readonly raw: RawParameters;
  readonly search: SearchText;
  readonly position: string;
}

/** `serverUrl` is the configured public URL, mount prefix included; a URL is never made from a Host header. */
export function nextPageUrl(
  { request, raw, search, position }: NextPage,
  { serverUrl, mountPrefix, linkKey }: { serverUrl: string; mountPrefix: string; linkKey: Buffer },
): string {
  const written = new URLSearchParams();
  const options = new URLSearchParams();
  for (const [name, value] of raw.values) {
    const into = isSearchName(name) || name === 'search_hash' ? written : options;
    if (into === options && (!optionNames.has(name) || name === 'position')) continue;
    for (const text of textsOf(name, value)) into.append(name, text);
  }
  const long = raw.query !== undefined || written.toString().length > queryLengthMax;
  const query = long ? new URLSearchParams({ search_hash: searchHash(search, linkKey) }) : written;
  options.append('position', position);
  const { path } = split(request.originalUrl);
  const plain = path.replaceAll(/\/{2,}/g, '/');
  const inside = mountPrefix ? (without(plain, mountPrefix) ?? plain) : plain;
  return `${serverUrl}${inside}?${query.toString()}&${options.toString()}`;
}
