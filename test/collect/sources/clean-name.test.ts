import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cleanName } from '../../../src/collect/sources/clean-name.ts';
import { anyCharacter } from '../../harness/arbitraries/any-character.ts';

const names: readonly (readonly [text: string, host: string, domain: string])[] = [
  ['example.com', 'example.com', 'example.com'],
  ['WWW.Example.COM.', 'www.example.com', 'example.com'],
  ['*.shop.example.co.uk', 'shop.example.co.uk', 'example.co.uk'],
  [' bücher.example ', 'xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['login.me.pages.dev', 'login.me.pages.dev', 'me.pages.dev'],
  ['pages.dev', 'pages.dev', 'pages.dev'],
  ['_dmarc.example.com', '_dmarc.example.com', 'example.com'],
  ['a--b.example.com', 'a--b.example.com', 'example.com'],
  ['ＥＸＡＭＰＬＥ.com', 'example.com', 'example.com'],
];
for (const [text, host, domain] of names) {
  test(`${JSON.stringify(text)} is the host ${host} of ${domain}`, () => {
    assert.deepEqual(cleanName(text), { host, domain });
  });
}

const others = [
  '',
  '.',
  '*',
  '*.',
  '*.com',
  'com',
  'co.uk',
  'localhost',
  '192.0.2.1',
  '0x7f.1',
  '１９２.0.2.1',
  '2001:db8::1',
  '[::1]',
  'someone@example.com',
  'https://example.com/',
  'two words.example',
  'a..example',
  '-.example',
  '_x.example',
  '-x.example',
  '1.0.0.127.in-addr.arpa',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(127)}example`,
  'x'.repeat(100_000),
  'ex\u0000ample.com',
  'ex\u001b[31mample.com',
  '\ud800.example',
  'a.*.example.com',
];
for (const text of others) {
  test(`${JSON.stringify(text.slice(0, 40))} is not a host name`, () => {
    assert.equal(cleanName(text), undefined);
  });
}

test('normalising a name is idempotent', () => {
  const labels = fc.array(
    fc.oneof(fc.string({ unit: anyCharacter, maxLength: 8 }), fc.constantFrom('*', 'www', 'xn--', 'com')),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: anyCharacter }),
        labels.map((list) => list.join('.')),
      ),
      (text) => {
        const clean = cleanName(text);
        if (!clean) return;
        assert.deepEqual(cleanName(clean.host), clean);
        assert.match(clean.host, /^[a-z0-9_.-]{3,253}$/);
        assert.ok(clean.host === clean.domain || clean.host.endsWith(`.${clean.domain}`));
      },
    ),
    { numRuns: 500 },
  );
});
