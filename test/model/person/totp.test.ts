import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  findTotpStep,
  fromBase32,
  toBase32,
  totpCode,
  totpStep,
  totpUri,
} from '../../../src/model/person/totp.ts';

/** RFC 6238, appendix B, SHA-1. */
const key = Buffer.from('12345678901234567890');
const vectors: readonly (readonly [seconds: number, code: string])[] = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
];

test('the codes are those of RFC 6238', () => {
  for (const [seconds, code] of vectors) assert.equal(totpCode(key, totpStep(seconds * 1000), 8), code);
});

test('a code is accepted half a minute early or late, and no further', () => {
  const nowMs = 1_111_111_111_000;
  const step = totpStep(nowMs);
  for (const drift of [-1, 0, 1])
    assert.equal(findTotpStep(key, totpCode(key, step + drift), nowMs), step + drift);
  for (const drift of [-2, 2]) assert.equal(findTotpStep(key, totpCode(key, step + drift), nowMs), undefined);
});

test('what is not six digits is no code', () => {
  for (const text of ['', '12345', '1234567', '12345a', '١٢٣٤٥٦'])
    assert.equal(findTotpStep(key, text, 0), undefined);
});

test('base32 is that of RFC 4648 without padding, and reverses', () => {
  assert.equal(toBase32(Buffer.from('foobar')), 'MZXW6YTBOI');
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      assert.deepEqual(fromBase32(toBase32(Buffer.from(bytes))), Buffer.from(bytes));
    }),
  );
});

test('the address for the QR code names issuer and person, escaped', () => {
  assert.match(
    totpUri('ABC', 'a@b', 'Name glass'),
    /^otpauth:\/\/totp\/Name%20glass:a%40b\?secret=ABC&issuer=Name%20glass&/,
  );
});
