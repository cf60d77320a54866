import assert from 'node:assert/strict';
import { BlockList, isIP } from 'node:net';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ipv4Text, ipv6Text } from '../../../src/model/dns/ip-address.ts';
import { readAddressSpan } from '../../../src/product/pdns/address-span.ts';

const textOf = (bytes: Uint8Array) => (bytes.length === 4 ? ipv4Text(bytes, 0) : ipv6Text(bytes, 0));

function shown(text: string): string | undefined {
  const span = readAddressSpan(text);
  return span && `${textOf(span.from)} ${textOf(span.to)}`;
}

const readable: readonly (readonly [text: string, span: string])[] = [
  ['192.0.2.1', '192.0.2.1 192.0.2.1'],
  ['192.0.2.0,24', '192.0.2.0 192.0.2.255'],
  ['192.0.2.77,24', '192.0.2.0 192.0.2.255'],
  ['192.0.2.77/24', '192.0.2.0 192.0.2.255'],
  ['192.0.2.77,32', '192.0.2.77 192.0.2.77'],
  ['192.0.2.77,31', '192.0.2.76 192.0.2.77'],
  ['192.0.2.77,0', '0.0.0.0 255.255.255.255'],
  ['192.0.2.1-192.0.2.20', '192.0.2.1 192.0.2.20'],
  ['192.0.2.1-192.0.2.1', '192.0.2.1 192.0.2.1'],
  ['0.0.0.0-255.255.255.255', '0.0.0.0 255.255.255.255'],
  ['2001:db8::1', '2001:db8::1 2001:db8::1'],
  ['2001:DB8::,32', '2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8:1:2:3:4:5:6,33', '2001:db8:: 2001:db8:7fff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::1-2001:db8::ff', '2001:db8::1 2001:db8::ff'],
  ['::', ':: ::'],
  ['::,0', ':: ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.1 ::ffff:192.0.2.1'],
];

for (const [text, span] of readable) {
  test(`${text} spans ${span}`, () => assert.equal(shown(text), span));
}

for (const text of [
  '',
  '192.0.2',
  '192.0.2.256',
  '192.0.2.01',
  '192.0.2.1,33',
  '192.0.2.1,',
  '192.0.2.1,-1',
  '192.0.2.1,8,8',
  '192.0.2.1,24-192.0.2.9',
  '192.0.2.9-192.0.2.1',
  '192.0.2.1-2001:db8::1',
  '192.0.2.1-192.0.2.2-192.0.2.3',
  '192.0.2.1-',
  '2001:db8::1,129',
  '2001:db8::ff-2001:db8::1',
  'fe80::1%eth0',
  '::1::2',
  'example.com',
  '192.0.2.1 ',
]) {
  test(`${JSON.stringify(text)} is not an address, prefix or range`, () => {
    assert.equal(readAddressSpan(text), undefined);
  });
}

test('a prefix spans exactly the addresses of its subnet', () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV6());
  fc.assert(
    fc.property(address, fc.nat(), (text, number) => {
      fc.pre(isIP(text) !== 0);
      const family = isIP(text) === 4 ? 'ipv4' : 'ipv6';
      const bits = number % (family === 'ipv4' ? 33 : 129);
      const span = readAddressSpan(`${text},${bits}`);
      assert.ok(span);
      const list = new BlockList();
      list.addSubnet(text, bits, family);
      assert.ok(list.check(textOf(span.from), family) && list.check(textOf(span.to), family));
      const size = span.to.reduce(
        (sum, byte, index) => sum * 256n + BigInt(byte - (span.from[index] as number)),
        0n,
      );
      assert.equal(size + 1n, 2n ** BigInt((family === 'ipv4' ? 32 : 128) - bits));
    }),
    { numRuns: 500 },
  );
});

test('any text is parsed or rejected without a crash', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom(':', '.', '-', ',', '/', '1', 'f', '%') }),
  );
  fc.assert(
    fc.property(text, (sent) => void readAddressSpan(sent)),
    { numRuns: 2000 },
  );
});
