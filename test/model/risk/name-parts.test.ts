import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { findNameParts } from '../../../src/model/risk/name-parts.ts';

test('a host name is judged by the domain that somebody registered', () => {
  const parts = findNameParts('WWW.Acme-Login.co.uk.');
  assert.deepEqual(parts, {
    domain: 'acme-login.co.uk',
    label: 'acme-login',
    suffix: 'co.uk',
    isInternational: false,
  });
});

test('a name in punycode and the same in Unicode are judged by what they look like', () => {
  const parts = findNameParts('xn--pypal-4ve.com');
  assert.deepEqual([parts?.label, parts?.isInternational], ['paypal', true]);
  assert.deepEqual(findNameParts('pаypal.com'), parts);
});

test('a site on shared hosting is a name of its own', () => {
  assert.equal(findNameParts('acme-login.pages.dev')?.label, 'acme-login');
});

for (const name of [
  '',
  '.',
  'com',
  'co.uk',
  '1.0.0.127.in-addr.arpa',
  'a b.com',
  'x\u0000.com',
  `${'a.'.repeat(200)}com`,
]) {
  test(`nobody can register ${JSON.stringify(name).slice(0, 30)}`, () =>
    assert.equal(findNameParts(name), undefined));
}

test('whatever comes, it is a name or it is none', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.domain(),
        fc.string().map((text) => `xn--${text}.com`),
      ),
      (text) => {
        const parts = findNameParts(text);
        if (parts) assert.match(parts.domain, /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/);
      },
    ),
    { numRuns: 300 },
  );
});
