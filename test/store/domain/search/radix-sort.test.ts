import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { sortedIndexes, sortedIndexesOfNumbers } from '../../../../src/store/domain/search/radix-sort.ts';

const key = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const few = fc.constantFrom(-(2n ** 63n), -1n, 0n, 1n, 2n ** 63n - 1n);

for (const [what, minLength, maxLength] of [
  ['few', 0, 40],
  ['many', 4096, 5000],
] as const) {
  test(`${what} keys are sorted, and equal ones keep their order`, () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(key, few), { minLength, maxLength, size: 'max' }), (given) => {
        const keys = BigInt64Array.from([...given, 7n]);
        const expected = Array.from(given, (_, index) => index).sort((left, right) => {
          const [one, other] = [given[left] as bigint, given[right] as bigint];
          return one === other ? left - right : one < other ? -1 : 1;
        });
        assert.deepEqual(Array.from(sortedIndexes(keys, given.length)), expected);
      }),
      { numRuns: what === 'few' ? 100 : 10 },
    );
  });

  test(`${what} numbers are sorted, and equal ones keep their order`, () => {
    const number = fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(-1, 1, Infinity));
    fc.assert(
      fc.property(fc.array(number, { minLength, maxLength, size: 'max' }), (given) => {
        const numbers = Float64Array.from(given, (one) => one + 0);
        const expected = Array.from(given, (_, index) => index).sort((left, right) => {
          const [one, other] = [numbers[left] as number, numbers[right] as number];
          return one === other ? left - right : one < other ? -1 : 1;
        });
        assert.deepEqual(Array.from(sortedIndexesOfNumbers(numbers)), expected);
        assert.deepEqual(
          Array.from(numbers),
          Array.from(given, (one) => one + 0),
        );
      }),
      { numRuns: what === 'few' ? 100 : 10 },
    );
  });
}
