import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { alikeBitsMax, hammingDistance } from '../../../src/model/picture/difference-hash.ts';
import { groupAlike } from '../../../src/model/picture/group-alike.ts';

test('alike hashes have one representative, the first of them', () => {
  const hashes = ['00ff00ff00ff00ff', 'ff00ff00ff00ff00', '00ff00ff00ff00f0', 'ff00ff00ff00ff01'];
  assert.deepEqual(
    [...groupAlike(hashes).values()],
    ['00ff00ff00ff00ff', 'ff00ff00ff00ff00', '00ff00ff00ff00ff', 'ff00ff00ff00ff00'],
  );
});

test('a hash joins a group within the bound if there is one, and otherwise begins one', () => {
  const hash = fc
    .tuple(
      fc.constantFrom(0n, 0xff00ff00ff00ff00n, 0x0123456789abcdefn),
      fc.array(fc.nat(63), { maxLength: 9 }),
    )
    .map(([base, bits]) => bits.reduce((value, bit) => value ^ (1n << BigInt(bit)), base as bigint))
    .map((bits) => bits.toString(16).padStart(16, '0'));
  fc.assert(
    fc.property(fc.array(hash, { maxLength: 30 }), (hashes) => {
      const groups = groupAlike(hashes);
      assert.equal(groups.size, new Set(hashes).size);
      const begun: string[] = [];
      for (const [one, representative] of groups) {
        const nearest = Math.min(...begun.map((other) => hammingDistance(one, other)));
        if (one === representative) begun.push(one);
        else assert.equal(hammingDistance(one, representative), nearest);
        assert.equal(one === representative, nearest > alikeBitsMax);
      }
    }),
  );
});
