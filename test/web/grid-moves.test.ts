import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cellAfter } from '../../web/src/parts/grid/grid-moves.ts';

const size = { rows: 100, columns: 5 };
const from = (key: string, row: number, column: number, isMod = false) =>
  cellAfter(key, { at: { row, column }, size, page: 10, isMod });

test('arrows go to the neighbouring cell, with Ctrl to the edge', () => {
  assert.deepEqual(from('ArrowDown', 3, 2), { row: 4, column: 2 });
  assert.deepEqual(from('ArrowUp', 3, 2, true), { row: 0, column: 2 });
  assert.deepEqual(from('ArrowRight', 3, 2, true), { row: 3, column: 4 });
  assert.deepEqual(from('ArrowLeft', 3, 2), { row: 3, column: 1 });
});

test('Home and End stay in the row, with Ctrl they leave it; pages jump', () => {
  assert.deepEqual(from('Home', 3, 2), { row: 3, column: 0 });
  assert.deepEqual(from('End', 3, 2, true), { row: 99, column: 4 });
  assert.deepEqual(from('PageDown', 95, 2), { row: 99, column: 2 });
  assert.deepEqual(from('PageUp', 15, 2), { row: 5, column: 2 });
});

test('no key leaves the grid, and other keys do not move', () => {
  const keys = ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'];
  fc.assert(
    fc.property(fc.constantFrom(...keys), fc.nat(99), fc.nat(4), fc.boolean(), (key, row, column, isMod) => {
      const next = from(key, row, column, isMod);
      assert.ok(next && next.row >= 0 && next.row < 100 && next.column >= 0 && next.column < 5);
    }),
  );
  assert.equal(from('x', 0, 0), undefined);
});
