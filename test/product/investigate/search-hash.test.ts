import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { Problem } from '../../../src/model/problem.ts';
import { getHashedSearch, searchHash } from '../../../src/product/investigate/search-hash.ts';
import { canonicalText } from '../../../src/product/investigate/search-text.ts';
import { anyCharacter } from '../../harness/arbitraries/any-character.ts';

const key = randomBytes(32);

test('a search hash is URL-safe and decodes to the search', () => {
  const search = fc.oneof(
    fc.record({ parameters: fc.array(fc.tuple(fc.string(), fc.string({ unit: anyCharacter }))) }),
    fc.record({ query: fc.string({ unit: anyCharacter }) }),
  );
  fc.assert(
    fc.property(search, (given) => {
      const text = searchHash(given, key);
      assert.match(text, /^[\w-]+$/);
      assert.equal(canonicalText(getHashedSearch(text, key)), canonicalText(given));
    }),
  );
});

test('the same parameters in another order have the same hash', () => {
  const [ip, registrar] = [
    ['ip', '192.0.2.7'],
    ['registrar', 'x'],
  ] as const;
  assert.equal(
    searchHash({ parameters: [ip, registrar] }, key),
    searchHash({ parameters: [registrar, ip] }, key),
  );
});

test('a hash that was altered, or not issued by this server, is refused', () => {
  const text = searchHash({ parameters: [['registrar', 'x']] }, key);
  const bytes = Buffer.from(text, 'base64url');
  const others = Array.from(bytes, (byte, at) => {
    const altered = Buffer.from(bytes);
    altered[at] = byte ^ 1;
    return altered.toString('base64url');
  });
  const bomb = Buffer.concat([Buffer.of(1), deflateRawSync(Buffer.alloc(50_000_000)), Buffer.alloc(8)]);
  for (const other of [...others, '', 'a', '%', text.slice(0, -1), bomb.toString('base64url')])
    assert.throws(() => getHashedSearch(other, key), Problem);
  assert.throws(() => getHashedSearch(text, randomBytes(32)), Problem);
});
