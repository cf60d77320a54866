import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseSearch, type RawSearch, stringifySearch } from '../../web/src/data/address.ts';
import { feedSearch } from '../../web/src/pages/feeds/feed-search.ts';
import { monthsUntil, reportSearch } from '../../web/src/pages/report/report-search.ts';

const throughAddress = (state: object) => parseSearch(stringifySearch(state as RawSearch));

test('the state of a report is the same after it went through the address', () => {
  const day = fc
    .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const monitor = fc.string({ minLength: 1, unit: 'grapheme' });
  fc.assert(
    fc.property(
      fc.record({ monitor, from: day, to: day }, { requiredKeys: [], noNullPrototype: true }),
      (state) => {
        assert.deepEqual(reportSearch(throughAddress(state)), state);
      },
    ),
  );
});

test('days that are none are not part of the state', () => {
  assert.deepEqual(reportSearch({ from: 'yesterday', to: '2026-1-1' }), {});
});

test('whether lines are shown as they come is in the address', () => {
  for (const state of [{}, { tail: true }]) assert.deepEqual(feedSearch(throughAddress(state)), state);
});

test('months begin with their first day and end before the next, over the end of a year', () => {
  assert.deepEqual(monthsUntil(new Date('2026-01-31T23:59:59Z'), 2), [
    { from: '2026-01-01', to: '2026-02-01' },
    { from: '2025-12-01', to: '2026-01-01' },
  ]);
});
