import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRegistrableDomain } from '../../src/model/registrable-domain.ts';

const cases: readonly (readonly [name: string, domain: string | undefined])[] = [
  ['example.com', 'example.com'],
  ['a.b.example.co.uk', 'example.co.uk'],
  ['paypal.com.evil.top', 'evil.top'],
  ['paypal-login.pages.dev', 'paypal-login.pages.dev'],
  ['www.paypal-login.pages.dev', 'paypal-login.pages.dev'],
  ['pages.dev', 'pages.dev'],
  ['xn--pypal-4ve.com', 'xn--pypal-4ve.com'],
  ['com', undefined],
  ['co.uk', undefined],
  ['1.2.0.192.in-addr.arpa', undefined],
];

for (const [name, domain] of cases) {
  test(`the registrable domain of ${name} is ${domain ?? 'none'}`, () => {
    assert.equal(findRegistrableDomain(name), domain);
  });
}
