import assert from 'node:assert/strict';
import { test } from 'node:test';
import { projectMonth } from '../../../src/model/account/usage-projection.ts';

const nowMs = Date.parse('2026-03-11T00:00:00Z');
const at = (limit?: number) => ({ limit, nowMs });

test('a month is projected from the average of the last seven whole days', () => {
  const days = [1000, 7, 14, 7, 14, 7, 14, 7, 99];
  assert.deepEqual(projectMonth(100, days, at()), { month: 310, perDay: 10 });
});

test('days before the first request, and today, do not count', () => {
  assert.deepEqual(projectMonth(30, [0, 0, 0, 0, 0, 10, 0, 500], at()), { month: 135, perDay: 5 });
});

test('nothing is projected before a whole day with requests has passed', () => {
  assert.equal(projectMonth(30, [0, 0, 30], at(50)), undefined);
  assert.equal(projectMonth(30, [30], at(50)), undefined);
});

test('the projection says when a limit would be reached, and that it is reached already', () => {
  const days = [10, 10, 0];
  assert.equal(projectMonth(0, days, at(211))?.reachedMs, undefined);
  assert.equal(projectMonth(0, days, at(100))?.reachedMs, nowMs + 10 * 86_400_000);
  assert.equal(projectMonth(120, days, at(100))?.reachedMs, nowMs);
});
