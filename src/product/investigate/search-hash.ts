/**
 * The search hash: a search as one opaque text that can be stored, shared and run again. Layout: a version byte, the deflated search,
 * and 8 bytes of a MAC, so that only data from this server is ever inflated.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { fieldProblem, Problem } from '../../model/problem.ts';
import { canonicalText, type SearchText } from './search-text.ts';

const version = 1;
const macBytes = 8;
/** Limits the time of the synchronous deflate. */
const searchBytesMax = 131_072;
const textMax = 180_000;

export function searchHash(search: SearchText, key: Buffer): string {
  const plain = Buffer.from(canonicalText(search));
  if (plain.length > searchBytesMax)
    throw new Problem(
      'invalid-parameters',
      `A search of more than ${searchBytesMax} bytes cannot have a search hash.`,
    );
  const packed = deflateRawSync(plain);
  const signed = Buffer.concat([Buffer.of(version), packed]);
  return Buffer.concat([signed, macOf(signed, key)]).toString('base64url');
}

export function getHashedSearch(text: string, key: Buffer): SearchText {
  const bytes =
    text.length <= textMax && /^[\w-]+$/.test(text) ? Buffer.from(text, 'base64url') : Buffer.of();
  const signed = bytes.subarray(0, -macBytes);
  const mac = bytes.subarray(-macBytes);
  const isValid =
    signed.length > 1 &&
    signed[0] === version &&
    mac.length === macBytes &&
    timingSafeEqual(mac, macOf(signed, key));
  if (!isValid) throw fieldProblem('invalid-parameters', 'search_hash', 'was not issued by this server');
  const json = inflateRawSync(signed.subarray(1), { maxOutputLength: searchBytesMax });
  return JSON.parse(json.toString('utf8')) as SearchText;
}

function macOf(signed: Uint8Array, key: Buffer): Buffer {
  return createHmac('sha256', key).update('search hash').update(signed).digest().subarray(0, macBytes);
}
