import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  type LinkSigner,
  presignedQuery,
  type SignedTarget,
  verifyPresigned,
} from '../../src/model/presigned-url.ts';
import { anyCharacter } from '../harness/arbitraries/any-character.ts';

/** The example of the S3 documentation, "Authenticating requests: using query parameters". */
const published = {
  target: { method: 'GET', host: 'examplebucket.s3.amazonaws.com', path: '/test.txt' },
  signer: {
    accessId: 'AKIAIOSFODNN7EXAMPLE',
    secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
    service: 's3',
  },
  signedMs: Date.parse('2013-05-24T00:00:00Z'),
};

test('BAT-34 a link has the six parameters and the signature of the published example', () => {
  assert.equal(
    presignedQuery(published.target, published.signer, published.signedMs, 86_400),
    'X-Amz-Algorithm=AWS4-HMAC-SHA256' +
      '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
      '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
      '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  );
});

const target: SignedTarget = { method: 'GET', host: 'down.example', path: '/range/ch212/20260128.1200' };
const signer: LinkSigner = { accessId: 'NG0123', secret: 'secret', region: 'local', service: 's3' };
const signedMs = Date.parse('2026-01-28T12:00:00.750Z');
const query = presignedQuery(target, signer, signedMs, 3600);
const verify = (given: string, nowMs = signedMs) => verifyPresigned(given, target, signer, nowMs);

test('BAT-37 a link is valid until its last second and expired afterwards', () => {
  const ends = Date.parse('2026-01-28T13:00:00Z');
  assert.equal(verify(query), 'valid');
  assert.equal(verify(query, ends - 1), 'valid');
  assert.equal(verify(query, ends), 'expired');
  assert.equal(verify(query, ends + 1000), 'expired');
});

test('BAT-37 an expired link that was also altered is altered', () => {
  assert.equal(verify(`${query}0`, signedMs + 9e9), 'altered');
});

test('BAT-39 another method, host, path, id, secret, region or service makes another signature', () => {
  for (const other of [
    { ...target, method: 'PUT' },
    { ...target, host: 'other.example' },
    { ...target, host: 'down.example:8080' },
    { ...target, path: '/range/ch213/20260128.1200' },
    { ...target, path: '/range/ch212/20260128%2E1200' },
    { ...target, path: '/range//ch212/20260128.1200' },
  ]) {
    assert.equal(verifyPresigned(query, other, signer, signedMs), 'altered');
  }
  for (const name of ['accessId', 'secret', 'region', 'service'] as const) {
    assert.equal(verifyPresigned(query, target, { ...signer, [name]: 'other' }, signedMs), 'altered');
  }
});

const parameters = query.split('&');

for (const [what, altered] of [
  ['none', ''],
  ['the question mark as well', `?${query}`],
  ['no signature', parameters.slice(0, -1).join('&')],
  ['a signature in capitals', query.replace(/[0-9a-f]{64}$/, (hex) => hex.toUpperCase())],
  ['a parameter twice', `${query}&${parameters[2]}`],
  ['the first parameter twice', `${parameters[0]}&${query}`],
  ['an unknown parameter', `${query}&x=1`],
  ['an unknown parameter first', `x=1&${query}`],
  ['an empty parameter', `${query}&`],
  ['an empty parameter between', query.replace('&', '&&')],
  ['another encoding', query.replace('SHA256', 'SHA25%36')],
  ['other letters in an encoding', query.replaceAll('%2F', '%2f')],
  ['no encoding', query.replaceAll('%2F', '/')],
  ['other letters in a name', query.replace('X-Amz-Date', 'x-amz-date')],
  ['a longer life', query.replace('=3600', '=7200')],
  ['zeros before the life', query.replace('=3600', '=03600')],
  ['a huge life', query.replace('=3600', `=${'9'.repeat(400)}`)],
  ['a negative life', query.replace('=3600', '=-3600')],
  ['a day that does not exist', query.replaceAll('20260128', '20260230')],
  ['a month that does not exist', query.replaceAll('20260128', '20261328')],
  ['a later hour', query.replace('T120000Z', 'T130000Z')],
  ['another header signed', query.replace('=host', '=host%3Brange')],
] as const) {
  test(`BAT-39 a query with ${what} is altered`, () => {
    assert.notEqual(altered, query);
    assert.equal(verify(altered), 'altered');
  });
}

test('BAT-39 the parameters in any other order are altered', () => {
  const orders = fc.shuffledSubarray(parameters, { minLength: 0, maxLength: parameters.length });
  fc.assert(
    fc.property(orders, (order) => {
      const shuffled = order.join('&');
      assert.equal(verify(shuffled), shuffled === query ? 'valid' : 'altered');
    }),
  );
});

test('BAT-39 a query with any bit flipped is altered', () => {
  const bytes = Buffer.from(query);
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.nat(7), (at, bit) => {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ (1 << bit);
      assert.equal(verify(changed.toString('latin1')), 'altered');
    }),
    { numRuns: 1000 },
  );
});

test('BAT-39 no other text is valid, and none makes the check throw', () => {
  fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => assert.equal(verify(text), 'altered')));
  const numbers = fc.stringMatching(/^\d{8}T\d{6}Z$/);
  fc.assert(
    fc.property(numbers, fc.stringMatching(/^\d{0,7}$/), (date, life) => {
      assert.equal(verify(`a&X-Amz-Date=${date}&X-Amz-Expires=${life}&b`), 'altered');
    }),
  );
});
