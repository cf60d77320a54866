import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { NameCache } from '../../../../../src/store/embedded/domain/search/name-cache.ts';

const nameOf = (id: number) => `n${id}.example`;

test('names are in the order of the ids, whatever was cached and evicted before', () => {
  const requests = fc.array(fc.uniqueArray(fc.nat(30), { maxLength: 20 }), { maxLength: 10 });
  fc.assert(
    fc.property(requests, fc.integer({ min: 1, max: 40 }), (lists, max) => {
      const names = new NameCache({ namesOf: (ids) => ids.map(nameOf) }, max);
      for (const ids of lists) assert.deepEqual(names.of(ids), ids.map(nameOf));
    }),
  );
});

test('a name is read once', () => {
  const read: number[] = [];
  const names = new NameCache({
    namesOf: (ids) => {
      read.push(...ids);
      return ids.map(nameOf);
    },
  });
  names.of([1, 2]);
  names.of([3, 2, 1]);
  names.of([1, 2, 3]);
  assert.deepEqual(read, [1, 2, 3]);
});
