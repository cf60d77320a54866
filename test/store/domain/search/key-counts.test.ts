import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { KeyCounts } from '../../../../src/store/domain/search/key-counts.ts';

/** Few distinct keys at many positions, and as many as positions; negative ones too. */
const keys = fc.oneof(
  fc.array(fc.bigInt({ min: -3n, max: 3n }), { maxLength: 1500 }),
  fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { maxLength: 30 }),
);

test('each position of each list gets the count of its key, and every step reads distinct keys in order', () => {
  const countOf = (key: bigint) => Number(BigInt.asUintN(16, key * 31n));
  fc.assert(
    fc.property(fc.array(keys, { maxLength: 4 }), (lists) => {
      const counted = new KeyCounts(lists.map((list) => BigInt64Array.from(list)));
      const countsOf = (queried: readonly bigint[]) => {
        assert.deepEqual(
          queried,
          [...new Set(queried)].sort((left, right) => (left < right ? -1 : 1)),
        );
        return queried.map(countOf);
      };
      for (const positions of counted.steps) counted.lookUp(positions, { countsOf });
      assert.deepEqual(
        counted.counts.map((list) => Array.from(list)),
        lists.map((list) => list.map(countOf)),
      );
    }),
  );
});
