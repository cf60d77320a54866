/**
 * A search as one opaque text, to be kept, shared and run again. Layout: a version byte, the search deflated, and 8 bytes that
 * only this server can make, so that nothing from outside is inflated.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { fieldProblem, Problem } from '../../model/problem.ts';
import { canonicalText, type SearchText } from './search-text.ts';

const version = 1;
const sealBytes = 8;
/** Deflating is done in one step, which must be short. */
const searchBytesMax = 131_072;
const textMax = 180_000;

export function searchHash(search: SearchText, key: Buffer): string {
  const plain = Buffer.from(canonicalText(search));
  if (plain.length > searchBytesMax)
    throw new Problem(
      'invalid-parameters',
      `A search of more than ${searchBytesMax} bytes has no search hash.`,
    );
  const packed = deflateRawSync(plain);
  const sealed = Buffer.concat([Buffer.of(version), packed]);
  return Buffer.concat([sealed, sealOf(sealed, key)]).toString('base64url');
}

export function getHashedSearch(text: string, key: Buffer): SearchText {
  const bytes =
    text.length <= textMax && /^[\w-]+$/.test(text) ? Buffer.from(text, 'base64url') : Buffer.of();
  const sealed = bytes.subarray(0, -sealBytes);
  const seal = bytes.subarray(-sealBytes);
  const good =
    sealed.length > 1 &&
    sealed[0] === version &&
    seal.length === sealBytes &&
    timingSafeEqual(seal, sealOf(sealed, key));
  if (!good) throw fieldProblem('invalid-parameters', 'search_hash', 'is none that this server has made');
  const json = inflateRawSync(sealed.subarray(1), { maxOutputLength: searchBytesMax });
  return JSON.parse(json.toString('utf8')) as SearchText;
}

function sealOf(sealed: Uint8Array, key: Buffer): Buffer {
  return createHmac('sha256', key).update('search hash').update(sealed).digest().subarray(0, sealBytes);
}
