import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { findSoaEmail } from '../../../../src/collect/collectors/dns/find-soa-email.ts';
import { findSpf } from '../../../../src/collect/collectors/dns/find-spf.ts';
import { normaliseText } from '../../../../src/model/record/normalise-text.ts';

for (const [rname, address] of [
  ['hostmaster.example.com', 'hostmaster@example.com'],
  ['Host.Example.COM.', 'host@example.com'],
  ['first\\.last.example.com', 'first.last@example.com'],
  ['a\\.b\\.c.example.com', 'a.b.c@example.com'],
  ['some\\043one.example.com', 'some+one@example.com'],
  ['hostmaster\\@example.com', 'hostmaster@example.com'],
  ['hostmaster@mail.example.com', 'hostmaster@mail.example.com'],
  ['', undefined],
  ['.', undefined],
  ['alone', undefined],
  ['a\\032b.example.com', undefined],
  ['a\\000.example.com', undefined],
  ['a\\@b\\@c.example.com', undefined],
  ['box.exam\\032ple.com', undefined],
  [`${'a'.repeat(65)}.example.com`, undefined],
] as const) {
  test(`the address in the SOA name "${rname}" is ${address ?? 'none'}`, () => {
    assert.equal(findSoaEmail(rname), address);
  });
}

test('any SOA name yields a mail address with one @ and a host, or none', () => {
  const piece = fc.constantFrom('a', 'B', '.', '\\', '@', '0', '46', '\\.', '\\046', ' ', '\0', '-', 'é');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((pieces) => pieces.join('')),
      ),
      (rname) => {
        const address = findSoaEmail(rname);
        if (address === undefined) return;
        const [box = '', host = '', ...more] = address.split('@');
        assert.ok(box !== '' && more.length === 0);
        assert.deepEqual(normaliseText('host', host), { text: host });
      },
    ),
  );
});

test('the SPF record is found among TXT records, joined without spaces, and limited in length', () => {
  assert.equal(findSpf([['v=spf1'], ['v=spf1 -all']]), 'v=spf1');
  assert.equal(findSpf([['x'], ['V=SPF1 ip4:192.0.2.', '1 -all']]), 'V=SPF1 ip4:192.0.2.1 -all');
  assert.equal(findSpf([['v=spf1x'], [' v=spf1'], [], ['spf1']]), undefined);
  assert.equal(findSpf([['v=spf1 ', 'a'.repeat(10_000)]]), undefined);
});
