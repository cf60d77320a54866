import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseName } from '../../../../src/model/dns/name.ts';
import { forwardKeyOf, readForwardKey, reversed } from '../../../../src/store/embedded/rrset/keys.ts';
import { name as anyName, observation } from '../../../harness/rrset-arbitraries.ts';

const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex');

test('reversed labels go from the top down and keep their length bytes', () => {
  assert.equal(
    hex(reversed(parseName('www.example.com') as Uint8Array)),
    '03636f6d076578616d706c650377777700',
  );
});

test('reversing twice gives the name back', () => {
  fc.assert(fc.property(anyName, (name) => assert.deepEqual(reversed(reversed(name)), name)));
});

test('a name sorts directly before everything below it', () => {
  fc.assert(
    fc.property(anyName, anyName, (name, other) => {
      const [one, two] = [hex(reversed(name)).slice(0, -2), hex(reversed(other)).slice(0, -2)];
      if (two.startsWith(one)) assert.ok(Buffer.compare(reversed(name), reversed(other)) <= 0);
    }),
  );
});

test('a forward key says all that makes an RRset', () => {
  fc.assert(
    fc.property(observation, (observed) => {
      const rdata = [...new Set(observed.rdata.map(hex))].sort().map((text) => Buffer.from(text, 'hex'));
      const key = forwardKeyOf({ ...observed, rdata });
      const { owner, type, bailiwick, rdata: members, origin } = readForwardKey(key, key.length);
      assert.deepEqual(
        [hex(owner), type, hex(bailiwick), members.map(hex), origin],
        [
          hex(observed.owner),
          observed.type,
          hex(observed.bailiwick),
          rdata.map(hex),
          observed.origin === 'zone' ? 1 : 0,
        ],
      );
    }),
  );
});
