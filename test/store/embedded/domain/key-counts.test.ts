import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { KeyCounts } from '../../../../src/store/embedded/domain/key-counts.ts';

/** Few different keys among many places, and as many as places; negative ones too. */
const keys = fc.oneof(
  fc.array(fc.bigInt({ min: -3n, max: 3n }), { maxLength: 1500 }),
  fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { maxLength: 30 }),
);

test('each place of each list has the count of its key, and keys are asked for in order and once a step', () => {
  const countOf = (key: bigint) => Number(BigInt.asUintN(16, key * 31n));
  fc.assert(
    fc.property(fc.array(keys, { maxLength: 4 }), (lists) => {
      const counted = new KeyCounts(lists.map((list) => BigInt64Array.from(list)));
      const countsOf = (asked: readonly bigint[]) => {
        assert.deepEqual(
          asked,
          [...new Set(asked)].sort((left, right) => (left < right ? -1 : 1)),
        );
        return asked.map(countOf);
      };
      for (const places of counted.steps) counted.lookUp(places, { countsOf });
      assert.deepEqual(
        counted.counts.map((list) => Array.from(list)),
        lists.map((list) => list.map(countOf)),
      );
    }),
  );
});
