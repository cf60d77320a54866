import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minuteMs } from '../../../src/model/durations.ts';
import type { PartReport } from '../../../src/model/health/part-report.ts';
import { partState } from '../../../src/model/health/part-state.ts';

const nowMs = 1_800_000_000_000;

function stateOf(part: Partial<PartReport>): string {
  const usual = { kind: 'source', name: 'ct:log', unit: 'names', startedMs: nowMs - 60 * minuteMs } as const;
  const counts = { failuresUsual: 0, failuresInRow: 0, total: 0, perMinute: [] };
  return partState({ ...usual, ...counts, ...part }, nowMs);
}

const ago = (minutes: number): number => nowMs - minutes * minuteMs;

test('a part that succeeds at its interval is working', () => {
  assert.equal(stateOf({ everyMs: minuteMs, lastSuccessMs: ago(1) }), 'working');
});

test('a part whose newest attempts failed is failing, whenever it last succeeded', () => {
  assert.equal(stateOf({ everyMs: minuteMs, lastSuccessMs: ago(1), failuresInRow: 1 }), 'failing');
});

test('as many failures in a row as are usual are no fault', () => {
  const collector = { failuresUsual: 20, lastSuccessMs: ago(1), lastFailureMs: ago(0) };
  assert.equal(stateOf({ ...collector, failuresInRow: 20 }), 'working');
  assert.equal(stateOf({ ...collector, failuresInRow: 21 }), 'failing');
});

test('a part is late after three intervals without a success', () => {
  assert.equal(stateOf({ everyMs: 20 * minuteMs, lastSuccessMs: ago(60) }), 'working');
  assert.equal(stateOf({ everyMs: 20 * minuteMs, lastSuccessMs: ago(61) }), 'late');
});

test('a part with an interval of a second is not late before five minutes', () => {
  assert.equal(stateOf({ everyMs: 1000, lastSuccessMs: ago(5) }), 'working');
  assert.equal(stateOf({ everyMs: 1000, lastSuccessMs: ago(6) }), 'late');
});

test('a part that never succeeded is starting, and late when that takes too long', () => {
  assert.equal(stateOf({ everyMs: minuteMs, startedMs: ago(1) }), 'starting');
  assert.equal(stateOf({ everyMs: minuteMs, startedMs: ago(6) }), 'late');
});

test('a part that waits for work is idle without any', () => {
  assert.equal(stateOf({}), 'idle');
  assert.equal(stateOf({ lastSuccessMs: ago(30) }), 'idle');
  assert.equal(stateOf({ lastSuccessMs: ago(3) }), 'working');
});

test('an old failure of a part that has had no work since says nothing about now', () => {
  assert.equal(stateOf({ failuresInRow: 1, lastFailureMs: ago(5) }), 'failing');
  assert.equal(stateOf({ failuresInRow: 1, lastFailureMs: ago(15) }), 'idle');
});

test('a part that does not run is off, whatever happened before', () => {
  assert.equal(stateOf({ off: 'screenshots.enabled is false', failuresInRow: 5 }), 'off');
});
