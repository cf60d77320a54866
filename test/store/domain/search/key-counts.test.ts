import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { KeyCounts } from '../../../../src/store/domain/search/key-counts.ts';

/** Few distinct keys at many positions, and as many as positions; negative ones too. */
const keys = fc.oneof(
  fc.array(fc.bigInt({ min: -3n, max: 3n }), { maxLength: 1500 }),
  fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { maxLength: 30 }),
);

const countOf = (key: bigint) => Number(BigInt.asUintN(16, key * 31n));
const halvesOf = (key: bigint) => [Number(BigInt.asIntN(32, key)), Number(key >> 32n)] as const;

test('each position of each list gets the count of its key, and every step has distinct keys in order that are not known', () => {
  fc.assert(
    fc.property(fc.array(keys, { maxLength: 4 }), fc.integer({ min: 1, max: 40 }), (lists, known) => {
      const isKnown = (low: number) => Math.abs(low) % known === 0;
      const counted = new KeyCounts(lists.map((list) => BigInt64Array.from(list)));
      counted.takeKnown({
        find: (low, high) => (isKnown(low) ? countOf((BigInt(high) << 32n) | BigInt(low >>> 0)) : -1),
      });
      const steps = counted.listUnknown(100);
      const distinct = new Set(lists.flat().filter((key) => !isKnown(halvesOf(key)[0])));
      assert.deepEqual(
        steps.flat(),
        [...distinct].sort((left, right) => (left < right ? -1 : 1)),
      );
      for (const step of steps) {
        assert.ok(step.length <= 100);
        counted.put(step, step.map(countOf));
      }
      assert.deepEqual(
        counted.finish().map((list) => Array.from(list)),
        lists.map((list) => list.map(countOf)),
      );
    }),
  );
});
