import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  digestOf,
  findTimestampMs,
  type SignatureDigest,
  sign,
  verifies,
} from '../../../src/model/account/signature.ts';
import { anyCharacter } from '../../harness/arbitraries/any-character.ts';
import { canaryKey } from '../../harness/artifacts.ts';

/** Published, with an invented key. */
const publishedKey = '0f1e2d3c-key';
const published = { username: 'acme-api', timestamp: '2026-01-02T03:04:05Z' };
const vectors: readonly (readonly [path: string, digest: SignatureDigest, signature: string])[] = [
  ['/v1/account', 'sha256', 'f974df178e95319153a9725520d8f633e305a9eb6255835c5b83e0343098f1a4'],
  ['/v1/account', 'sha1', '7564d385d2d166809093d57f702efe4dca64a1f0'],
  ['/v1/account', 'md5', 'd4cb4d35129c31f72f4a39885cb6bdaf'],
  ['/v1/iris-investigate/', 'sha256', '9c673d64d6b2b42d9638f447258fb8f1e345b7f4cf94f1c33b02d1a0d6593aa7'],
  ['/v1/feed/nod/', 'sha256', 'e6520f39cabdae6fae10ce030b3e1c353d774cff9229c3a8a6dc0468ee47528f'],
];

for (const [path, digest, signature] of vectors) {
  test(`AUTH-09 the published ${digest} signature of ${path} is made and verifies`, () => {
    assert.equal(sign({ ...published, path }, publishedKey, digest), signature);
    assert.equal(verifies(signature, { ...published, path }, publishedKey), true);
  });
}

const request = { ...published, path: '/v1/account' };
const key = canaryKey();
const hexDigits = '0123456789abcdef'.split('');
const signature = sign(request, key);

const otherRequests = {
  'another path': { ...request, path: '/v1/account/' },
  'another username': { ...request, username: 'acme' },
  'another timestamp': { ...request, timestamp: '2026-01-02T03:04:06Z' },
  'another form of the same timestamp': { ...request, timestamp: '2026-01-02T03:04:05+0000' },
};
for (const [what, other] of Object.entries(otherRequests)) {
  test(`a signature does not verify for ${what}`, () => {
    assert.equal(verifies(signature, other, key), false);
    assert.equal(verifies(signature, request, key), true);
  });
}

test('a signature does not verify with another key', () => {
  assert.equal(verifies(signature, request, canaryKey()), false);
});

test('a signature in capitals does not verify', () => {
  assert.equal(verifies(signature.toUpperCase(), request, key), false);
});

test('a signature with any one digit changed does not verify', () => {
  for (const [index, digit] of signature.split('').entries()) {
    const changed = signature.slice(0, index) + (digit === '0' ? '1' : '0') + signature.slice(index + 1);
    assert.equal(verifies(changed, request, key), false);
  }
});

test('any other text does not verify, and does not throw', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 80 }),
    fc.string({ unit: fc.constantFrom(...hexDigits), maxLength: 80 }),
    fc.constantFrom('', `${signature} `, `${signature}\n`, signature.slice(1), `${signature}0`),
  );
  fc.assert(
    fc.property(text, (anything) => {
      assert.equal(verifies(anything, request, key), false);
    }),
  );
});

test('the signature of any username, timestamp, path and key verifies', () => {
  const text = fc.string({ unit: anyCharacter });
  fc.assert(
    fc.property(text, text, text, text, (username, timestamp, path, anyKey) => {
      const one = { username, timestamp, path };
      assert.equal(verifies(sign(one, anyKey), one, anyKey), true);
    }),
  );
});

test('the digest follows from the length of a signature', () => {
  const found = [64, 40, 32, 63, 65, 0].map((length) => digestOf('a'.repeat(length)));
  assert.deepEqual(found, ['sha256', 'sha1', 'md5', undefined, undefined, undefined]);
});

test('text of the right length that is not lower-case hex has no digest', () => {
  for (const digit of ['g', 'A', ' ', '\n']) assert.equal(digestOf('a'.repeat(63) + digit), undefined);
});

const instant = Date.UTC(2026, 0, 2, 3, 4, 5);
const timestamps: Readonly<Record<string, number>> = {
  '2026-01-02T03:04:05Z': instant,
  '2026-01-02T03:04:05+0000': instant,
  '2026-01-02T03:04:05+00:00': instant,
  '2026-01-01T19:04:05-0800': instant,
  '2026-01-01T19:04:05-08:00': instant,
  '2026-01-02T08:34:05+0530': instant,
  '2026-01-02T03:04:05.5Z': instant + 500,
  '2026-01-02T03:04:05.123456Z': instant + 123,
};
for (const [text, expected] of Object.entries(timestamps)) {
  test(`the timestamp ${text} is parsed`, () => {
    assert.equal(findTimestampMs(text), expected);
  });
}

for (const timestamp of ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05+0000', '2026-01-01T19:04:05-0800']) {
  test(`AUTH-14 a signature over the timestamp ${timestamp} as it was sent verifies`, () => {
    const one = { ...request, timestamp };
    assert.equal(verifies(sign(one, key), one, key), true);
    assert.equal(findTimestampMs(timestamp), instant);
  });
}

const noTimestamps = [
  '',
  '2026-01-02',
  '2026-01-02T03:04:05',
  '2026-01-02 03:04:05Z',
  '2026-01-02T03:04Z',
  '2026-1-2T3:4:5Z',
  '2026-13-02T03:04:05Z',
  '2026-01-32T03:04:05Z',
  '2026-02-30T03:04:05Z',
  '2026-01-02T25:04:05Z',
  '2026-01-02T03:04:05+2500',
  '2026-01-02T03:04:05.Z',
  ' 2026-01-02T03:04:05Z',
  '2026-01-02T03:04:05Z\n',
  'Fri, 02 Jan 2026 03:04:05 GMT',
  '1767323045',
];
for (const text of noTimestamps) {
  test(`${JSON.stringify(text)} is not a timestamp`, () => {
    assert.equal(findTimestampMs(text), undefined);
  });
}
