import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { findNameParts } from '../../../../src/model/risk/name/name-parts.ts';
import { anyCharacter } from '../../../harness/arbitraries/any-character.ts';

test('a host name is scored by its registrable domain', () => {
  const parts = findNameParts('WWW.Acme-Login.co.uk.');
  assert.deepEqual(parts, {
    domain: 'acme-login.co.uk',
    label: 'acme-login',
    suffix: 'co.uk',
    isInternational: false,
  });
});

test('a name in punycode and the same name in Unicode are scored by their skeleton', () => {
  const parts = findNameParts('xn--pypal-4ve.com');
  assert.deepEqual([parts?.label, parts?.isInternational], ['paypal', true]);
  assert.deepEqual(findNameParts('pаypal.com'), parts);
});

test('a site on a private public suffix is a registrable domain', () => {
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
  test(`there is no registrable domain in ${JSON.stringify(name).slice(0, 30)}`, () =>
    assert.equal(findNameParts(name), undefined));
}

test('any text gives valid parts or undefined', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: anyCharacter }),
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
