import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { leafChanges } from '../../../src/model/record/leaf-changes.ts';

test('a plain value is one change', () => {
  assert.deepEqual(leafChanges('one', 'two'), [{ path: [], before: 'one', after: 'two' }]);
  assert.deepEqual(leafChanges(undefined, 7), [{ path: [], before: undefined, after: 7 }]);
  assert.deepEqual(leafChanges('gone', undefined), [{ path: [], before: 'gone', after: undefined }]);
});

test('entries of a list are compared by their identity, whatever their order', () => {
  const [one, two] = [
    { address: '192.0.2.1', isp: 'A' },
    { address: '192.0.2.2', isp: 'B' },
  ];
  assert.deepEqual(leafChanges([one, two], [two, one]), []);
  assert.deepEqual(leafChanges([one, two], [{ ...one, isp: 'C' }]), [
    { path: [], before: '192.0.2.2', after: undefined },
    { path: ['192.0.2.1', 'isp'], before: 'A', after: 'C' },
  ]);
});

test('lists of plain values are compared as sets', () => {
  assert.deepEqual(leafChanges(['a', 'b'], ['b', 'c']), [
    { path: [], before: 'a', after: undefined },
    { path: [], before: undefined, after: 'c' },
  ]);
  assert.deepEqual(leafChanges(undefined, ['a']), [{ path: [], before: undefined, after: 'a' }]);
});

test('members of an object are named, and fetch times are no change', () => {
  const before = { registrar: 'A', registrant_contact: { org: 'X', email: ['a@b.example'] }, fetched: '1' };
  const after = { registrar: 'B', registrant_contact: { org: 'X', email: [] }, fetched: '2' };
  assert.deepEqual(leafChanges(before, after), [
    { path: ['registrar'], before: 'A', after: 'B' },
    { path: ['registrant_contact', 'email'], before: 'a@b.example', after: undefined },
  ]);
});

test('an object that comes or goes is shown by its members', () => {
  assert.deepEqual(leafChanges(undefined, { registrar: 'B' }), [
    { path: ['registrar'], before: undefined, after: 'B' },
  ]);
});

test('equal values have no change, others have at least one, and there are at most two hundred', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
      assert.deepEqual(leafChanges(before, structuredClone(before)), []);
      assert.ok(leafChanges(before, after).length <= 200);
    }),
  );
  assert.equal(
    leafChanges(
      undefined,
      Array.from({ length: 1000 }, (_, at) => at),
    ).length,
    200,
  );
});
