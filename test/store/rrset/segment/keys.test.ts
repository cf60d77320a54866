import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseName } from '../../../../src/model/dns/name.ts';
import {
  forwardKeyOf,
  readForwardKey,
  readInverseKey,
  reverseLabels,
} from '../../../../src/store/rrset/segment/keys.ts';
import { name as anyName, observation } from '../../../harness/arbitraries/rrset-arbitraries.ts';

const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex');

test('reversed labels run from the top down and keep their length bytes', () => {
  assert.equal(
    hex(reverseLabels(parseName('www.example.com') as Uint8Array)),
    '03636f6d076578616d706c650377777700',
  );
});

test('reversing labels twice returns the name', () => {
  fc.assert(fc.property(anyName, (name) => assert.deepEqual(reverseLabels(reverseLabels(name)), name)));
});

test('a name sorts directly before everything below it', () => {
  fc.assert(
    fc.property(anyName, anyName, (name, other) => {
      const [one, two] = [hex(reverseLabels(name)).slice(0, -2), hex(reverseLabels(other)).slice(0, -2)];
      if (two.startsWith(one)) assert.ok(Buffer.compare(reverseLabels(name), reverseLabels(other)) <= 0);
    }),
  );
});

test('a forward key encodes everything that identifies an RRset', () => {
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

test('a key that does not end where its parts end is refused, whatever follows it in memory', () => {
  fc.assert(
    fc.property(observation, fc.nat(400), fc.constantFrom(0, 1, 63, 255), (observed, chance, value) => {
      const key = forwardKeyOf({ ...observed, rdata: observed.rdata.slice(0, 1) });
      const memory = new Uint8Array(key.length + 1024);
      memory.set(key);
      memory[chance % key.length] = value;
      for (const decode of [readForwardKey, readInverseKey]) {
        try {
          const { rdata } = decode(memory, key.length);
          assert.ok(rdata.length <= key.length);
        } catch (error) {
          assert.match(String(error), /a key in an RRset segment is malformed/);
        }
      }
      assert.throws(() => readForwardKey(memory.fill(0), key.length), /malformed/);
    }),
  );
});
