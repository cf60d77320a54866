import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { sortedByName, sortedByNumber } from '../../../../src/store/domain/search/sorted-ids.ts';

const nameOf = (id: number) => `n${id % 7}-${id}`;
const namesOf = (ids: readonly number[]) => ids.map(nameOf);
const byName = (left: number, right: number) => (nameOf(left) < nameOf(right) ? -1 : 1);

const rows = fc.uniqueArray(
  fc.record({ id: fc.nat(1000), number: fc.constantFrom(-1, 0, 1, 2.5, 1e12, Number.NaN) }),
  { selector: ({ id }) => id, maxLength: 40 },
);

test('ids are sorted by number, ties by name, and those without a number are last', () => {
  fc.assert(
    fc.property(rows, fc.boolean(), (unsorted, descending) => {
      const all = unsorted.toSorted((left, right) => left.id - right.id);
      const found = sortedByNumber(
        Int32Array.from(all, ({ id }) => id),
        Float64Array.from(all, ({ number }) => number),
        descending,
        namesOf,
      );
      const idsWith = (number: number) =>
        all.filter((row) => Object.is(row.number, number)).map(({ id }) => id);
      const numbers = [-1, 0, 1, 2.5, 1e12];
      const expected = [...(descending ? numbers.toReversed() : numbers), Number.NaN].flatMap((number) =>
        idsWith(number).sort(byName),
      );
      assert.deepEqual([...found], expected);
    }),
  );
});

test('ids are sorted by name in both directions', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(1000)), (ids) => {
      const expected = ids.toSorted(byName);
      assert.deepEqual([...sortedByName(Int32Array.from(ids), false, namesOf)], expected);
      assert.deepEqual([...sortedByName(Int32Array.from(ids), true, namesOf)], expected.toReversed());
    }),
  );
});
