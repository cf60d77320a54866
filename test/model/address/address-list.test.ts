import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { containsAddress, isAddressRange } from '../../../src/model/address/address-list.ts';
import { anyCharacter } from '../../harness/arbitraries/any-character.ts';

for (const text of [
  '192.0.2.7',
  '192.0.2.0/24',
  '0.0.0.0/0',
  '2001:db8::/32',
  '2001:db8::1',
  '::1',
  '::/0',
]) {
  test(`${text} is a range`, () => {
    assert.equal(isAddressRange(text), true);
  });
}

const notRanges = [
  '',
  'localhost',
  '192.0.2',
  '10',
  '0x7f000001',
  '010.0.0.1',
  '10/8',
  '192.0.2.256',
  '192.0.2.0/33',
  '192.0.2.0/',
  '192.0.2.0/-1',
  '2001:db8::/129',
  '2001:db8:::1',
  ' 192.0.2.7',
  '192.0.2.7 ',
  '192.0.2.1-192.0.2.9',
  '127.1',
  '192.0.2.0/24/24',
  '::ffff:010.0.0.1',
];
for (const text of notRanges) {
  test(`${JSON.stringify(text)} is not a range`, () => {
    assert.equal(isAddressRange(text), false);
  });
}

const inside: readonly (readonly [range: string, address: string])[] = [
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.0/24', '192.0.2.0'],
  ['192.0.2.0/24', '192.0.2.255'],
  ['192.0.2.77/24', '192.0.2.1'],
  ['0.0.0.0/0', '203.0.113.9'],
  ['2001:db8::/32', '2001:db8:ffff::1'],
  ['2001:DB8::1', '2001:db8:0:0:0:0:0:1'],
  ['192.0.2.0/24', '::ffff:192.0.2.7'],
  ['192.0.2.7', '::ffff:c000:207'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.0/120', '192.0.2.7'],
  ['fe80::/10', 'fe80::1%eth0'],
];
for (const [range, address] of inside) {
  test(`${address} is in ${range}`, () => {
    assert.equal(containsAddress([range], address), true);
  });
}

const outside: readonly (readonly [range: string, address: string])[] = [
  ['192.0.2.7', '192.0.2.8'],
  ['192.0.2.0/24', '192.0.1.255'],
  ['192.0.2.0/24', '192.0.3.0'],
  ['192.0.2.0/24', '::ffff:192.0.3.0'],
  ['2001:db8::/32', '2001:db9::'],
  ['0.0.0.0/0', '2001:db8::1'],
  ['::/0', '192.0.2.7'],
  ['::/0', '::ffff:192.0.2.7'],
  ['192.0.2.7', '::192.0.2.7'],
  ['192.0.2.7', '64:ff9b::192.0.2.7'],
  ['192.0.2.7', '::ffff:192.0.2.7%eth0'],
  ['192.0.2.0/24', '192.0.2.0/25'],
];
for (const [range, address] of outside) {
  test(`${address} is not in ${range}`, () => {
    assert.equal(containsAddress([range], address), false);
  });
}

test('an address is in a list when one of its ranges contains it', () => {
  const ranges = ['198.51.100.0/24', '2001:db8::/32'];
  assert.equal(containsAddress(ranges, '198.51.100.1'), true);
  assert.equal(containsAddress(ranges, '2001:db8::1'), true);
  assert.equal(containsAddress(ranges, '192.0.2.1'), false);
});

test('no address is in an empty list', () => {
  assert.equal(containsAddress([], '192.0.2.1'), false);
});

test('text that is not an address is in no range, and does not throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      fc.pre(!isAddressRange(text));
      assert.equal(containsAddress(['0.0.0.0/0', '::/0'], text), false);
    }),
  );
});

test('an IPv4 prefix contains exactly the addresses that share its leading bits', () => {
  const part = fc.integer({ min: 0, max: 255 });
  const address = fc.tuple(part, part, part, part);
  const numberOf = (parts: readonly number[]) => parts.reduce((sum, one) => sum * 256 + one, 0);
  fc.assert(
    fc.property(address, address, fc.integer({ min: 0, max: 32 }), (network, other, bits) => {
      const blockSize = 2 ** (32 - bits);
      const same = Math.floor(numberOf(network) / blockSize) === Math.floor(numberOf(other) / blockSize);
      assert.equal(containsAddress([`${network.join('.')}/${bits}`], other.join('.')), same);
    }),
  );
});
