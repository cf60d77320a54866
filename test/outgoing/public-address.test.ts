import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isPublicAddress } from '../../src/outgoing/public-address.ts';

const special = `
  0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.254 168.63.129.16
  169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.192 192.0.2.1 192.88.99.1 192.168.1.1
  198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1
  255.255.255.255 :: ::1 ::7f00:1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:8.8.8.8
  64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::1 100::1 2001::1 2001:0:1::1 2001:10::1 2001:20::1
  2001:db8::1 2002:7f00:1:: 2002:808:808::1 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1
  fe80::1%eth0 2600::1%eth0 fec0::1 ff02::1`
  .trim()
  .split(/\s+/);

test('special-purpose addresses and addresses with an embedded IPv4 address are not public', () => {
  assert.deepEqual(special.filter(isPublicAddress), []);
});

test('globally reachable addresses are public, up to the edges of the special ranges', () => {
  const plain = ['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'];
  const near = [
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
  ];
  const six = ['2001:4860:4860::8888', '2001:200::1', '2606:4700::1111', '2a00::1', '2003::1'];
  assert.deepEqual(
    [...plain, ...near, ...six].filter((address) => !isPublicAddress(address)),
    [],
  );
});

test('text that is not an address is not public', () => {
  for (const text of [
    '',
    'localhost',
    '127.1',
    '0x7f.1',
    '2130706433',
    '1.1.1.1.',
    '1.1.1.1/32',
    '[2606:4700::1111]',
  ])
    assert.equal(isPublicAddress(text), false, text);
});

test('an IPv6 address below 2000::/3 with an embedded IPv4 address is never public', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.constantFrom('::', '::ffff:', '64:ff9b::', '::ffff:0:'), (four, before) => {
      assert.equal(isPublicAddress(before + four), false);
    }),
  );
});
