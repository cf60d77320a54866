import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { KnownNames } from '../../../../src/store/embedded/domain/known-names.ts';

const nameOf = (id: number) => `n${id}.example`;

test('names are those of the ids in the order asked for, whatever was asked and forgotten before', () => {
  const asked = fc.array(fc.uniqueArray(fc.nat(30), { maxLength: 20 }), { maxLength: 10 });
  fc.assert(
    fc.property(asked, fc.integer({ min: 1, max: 40 }), (questions, max) => {
      const names = new KnownNames({ namesOf: (ids) => ids.map(nameOf) }, max);
      for (const ids of questions) assert.deepEqual(names.of(ids), ids.map(nameOf));
    }),
  );
});

test('a name is looked up once', () => {
  const lookedUp: number[] = [];
  const names = new KnownNames({
    namesOf: (ids) => {
      lookedUp.push(...ids);
      return ids.map(nameOf);
    },
  });
  names.of([1, 2]);
  names.of([3, 2, 1]);
  names.of([1, 2, 3]);
  assert.deepEqual(lookedUp, [1, 2, 3]);
});
