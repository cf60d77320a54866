import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { safeNext } from '../../../../src/product/people/sign-on/sign-on-urls.ts';

test('a page of the app is returned to as it is', () => {
  for (const next of ['/triage?s=new&tld=uk', '/domain/xn--bcher-kva.example?tab=dns', '/account/keys'])
    assert.equal(safeNext(next), `/ui${next}`);
  assert.equal(safeNext(undefined), '/ui/');
});

test('whatever is asked for, the browser stays in the app', () => {
  const hostile = fc.array(
    fc.constantFrom(
      '/',
      '\\',
      '..',
      '.',
      '%2e',
      '%2f',
      '@',
      ':',
      '//',
      'evil.example',
      'api',
      'auth',
      '\t',
      '\r\n',
      '?',
      '#',
      'http:',
      ' ',
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary-ascii' }),
        hostile.map((parts) => parts.join('')),
      ),
      (next) => {
        const path = safeNext(next);
        const url = new URL(path, 'https://own.example');
        assert.equal(url.origin, 'https://own.example');
        assert.match(url.pathname, /^\/ui\//);
        assert.doesNotMatch(decodeURI(url.pathname), /^\/ui\/+(?:api|auth)(?:\/|$)/i);
        assert.doesNotMatch(path, /[\r\n]/);
      },
    ),
    { numRuns: 500 },
  );
});
