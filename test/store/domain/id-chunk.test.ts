import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  cardinality,
  chunkBytes,
  chunkOfLows,
  contains,
  difference,
  type IdChunk,
  intersection,
  lowsOf,
  rangeChunk,
  readChunk,
  union,
} from '../../../src/store/domain/id-chunk.ts';

/** Few, many, and about as many as where an array becomes a bitmap, all over the chunk. */
const lows = fc
  .record({
    from: fc.constantFrom(0, 31, 32, 61_000),
    count: fc.constantFrom(0, 1, 40, 4094, 4095, 4096, 4535),
    others: fc.uniqueArray(fc.integer({ min: 0, max: 65_535 }), { maxLength: 20 }),
  })
  .map(({ from, count, others }) => {
    const all = new Set([...Array.from({ length: count }, (_, index) => from + index), ...others]);
    return [...all].sort((left, right) => left - right);
  });

const chunk = (numbers: readonly number[]): IdChunk => chunkOfLows(Uint16Array.from(numbers));

test('union, intersection and difference of two chunks are those of sets', () => {
  fc.assert(
    fc.property(lows, lows, (left, right) => {
      const [one, other] = [new Set(left), new Set(right)];
      const expect = (made: IdChunk, numbers: Iterable<number>) => {
        const sorted = [...numbers].sort((a, b) => a - b);
        assert.deepEqual([...lowsOf(made)], sorted);
        assert.equal(cardinality(made), sorted.length);
      };
      expect(
        intersection(chunk(left), chunk(right)),
        left.filter((low) => other.has(low)),
      );
      expect(union(chunk(left), chunk(right)), new Set([...left, ...right]));
      expect(
        difference(chunk(left), chunk(right)),
        left.filter((low) => !other.has(low)),
      );
      for (const low of [0, 31, 4095, 65_535, ...right.slice(0, 9)]) {
        assert.equal(contains(chunk(left), low), one.has(low));
      }
    }),
    { numRuns: 200 },
  );
});

test('a chunk is decoded from its bytes, whatever their alignment', () => {
  fc.assert(
    fc.property(lows, fc.integer({ min: 0, max: 3 }), (numbers, shift) => {
      const bytes = chunkBytes(chunk(numbers));
      const moved = Buffer.alloc(bytes.length + shift).subarray(shift);
      moved.set(bytes);
      assert.deepEqual([...lowsOf(readChunk(moved))], numbers);
    }),
    { numRuns: 50 },
  );
});

test('the chunk of a range has the ids of the range', () => {
  assert.deepEqual([...lowsOf(rangeChunk(0, 1, 0))], []);
  assert.equal(cardinality(rangeChunk(0, 1, 200_000)), 65_535);
  assert.equal(cardinality(rangeChunk(1, 1, 200_000)), 65_536);
  assert.deepEqual([...lowsOf(rangeChunk(3, 1, 3 * 65_536 + 1))], [0, 1]);
  for (const last of [1, 3, 30, 31, 32, 33, 63, 64, 65, 97]) {
    const all = Array.from({ length: last }, (_, index) => index + 1);
    assert.deepEqual([...lowsOf(rangeChunk(0, 1, last))], all);
    assert.deepEqual([...lowsOf(rangeChunk(1, 1, 65_536 + last))], [0, ...all]);
  }
});
