import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { containsAddress } from '../../src/model/address/address-list.ts';
import { addressCheck, sameAddress } from '../../src/outgoing/address-check.ts';
import { isPublicAddress } from '../../src/outgoing/public-address.ts';

const allow = ['10.0.0.0/8', '::1'];
const address = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.string(),
  fc.constantFrom('10.1.2.3', '127.0.0.1', '::1', '::ffff:10.0.0.1', 'fe80::1%eth0', '192.0.2.1/32', ''),
);

test('a check answers as the rules do, again and again', () => {
  fc.assert(
    fc.property(fc.array(address, { minLength: 1, maxLength: 20 }), (addresses) => {
      const isAllowed = addressCheck(allow);
      for (const one of [...addresses, ...addresses])
        assert.equal(isAllowed(one), isPublicAddress(one) || containsAddress(allow, one), one);
    }),
  );
});

test('checks with other ranges know nothing of each other', () => {
  assert.deepEqual([addressCheck(allow)('10.1.2.3'), addressCheck([])('10.1.2.3')], [true, false]);
});

test('more addresses than are remembered are checked all the same', () => {
  const isAllowed = addressCheck(allow);
  for (let number = 0; number < 5000; number += 1) {
    const [high, low] = [number >> 8, number & 255];
    assert.equal(isAllowed(`10.0.${high}.${low}`), true);
    assert.equal(isAllowed(`192.168.${high}.${low}`), false);
  }
  assert.equal(isAllowed('192.168.0.0'), false);
});

test('an address is the same in another spelling, and an absent one is never', () => {
  assert.equal(sameAddress('192.0.2.1', '192.0.2.1'), true);
  assert.equal(sameAddress('192.0.2.1', '::ffff:192.0.2.1'), true);
  assert.equal(sameAddress('2001:db8::1', '2001:0db8:0:0::1'), true);
  assert.equal(sameAddress('192.0.2.1', '192.0.2.2'), false);
  assert.equal(sameAddress('192.0.2.1', undefined), false);
  assert.equal(sameAddress('', ''), false);
});
