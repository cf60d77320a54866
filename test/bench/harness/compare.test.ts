import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Result, resultOf } from '../../../bench/harness/benchmark.ts';
import { driftsBetween } from '../../../bench/harness/compare.ts';
import { type Run, runOf } from '../../../bench/harness/run-file.ts';

const machine = { processor: 'p', cores: 2, memoryBytes: 1, node: 'v24', kernel: 'linux', commit: 'abc' };

function runWith(...results: readonly Result[]): Run {
  const benchmarks = [{ name: 'pdns', results }];
  return runOf({ date: 'today', size: 'full', command: '', machine, warnings: [], benchmarks });
}

const lookups = resultOf({
  work: 'lookups',
  ours: { value: 500, unit: 'lookups/s' },
  peer: { name: 'bare route', value: 1000, unit: 'lookups/s' },
  growthAt10x: 1,
  cpuSeconds: 10,
  memoryBytes: 100e6,
});

test('a figure that differs by 14 % is no drift, and one that differs by more is', () => {
  assert.deepEqual(driftsBetween(runWith(lookups), runWith({ ...lookups, ratio: 0.43 })), []);
  assert.deepEqual(driftsBetween(runWith(lookups), runWith({ ...lookups, ratio: 0.42 })), [
    'pdns: lookups: ratio 0.5 → 0.42 (−16 %, worse)',
  ]);
});

test('a drift for the better is named, too', () => {
  const [drift] = driftsBetween(runWith(lookups), runWith({ ...lookups, ratio: 0.6 }));
  assert.match(drift ?? '', /\+20 %, better/);
});

test('with a peer the ratio is compared, not the figure that a slower machine changes', () => {
  const slower = { ...lookups, ours: { value: 250, unit: 'lookups/s' } };
  assert.deepEqual(driftsBetween(runWith(lookups), runWith(slower)), []);
});

test('without a peer the figure itself is compared, and a longer time is worse', () => {
  const start = { ...lookups, peer: null, ratio: null, ours: { value: 2, unit: 's' } };
  const slower = { ...start, ours: { value: 3, unit: 's' } };
  assert.deepEqual(driftsBetween(runWith(start), runWith(slower)), [
    'pdns: lookups: ours 2.00 → 3.00 (+50 %, worse)',
  ]);
});

test('CPU time, memory and growth are compared', () => {
  const drifts = driftsBetween(
    runWith(lookups),
    runWith({ ...lookups, growthAt10x: 2, cpuSeconds: 5, memoryBytes: 200e6 }),
  );
  assert.deepEqual(
    drifts.map((drift) => drift.split(': ').at(-1)),
    [
      'growth at 10 × 1.00 → 2.00 (+100 %, worse)',
      'CPU seconds 10.0 → 5.00 (−50 %, better)',
      'memory 100 MB → 200 MB (+100 %, worse)',
    ],
  );
});

test('a figure that was 0 and is no longer is a drift', () => {
  const none = { ...lookups, ratio: null, peer: null, ours: { value: 0, unit: 'lost' } };
  const some = { ...none, ours: { value: 1, unit: 'lost' } };
  assert.equal(driftsBetween(runWith(none), runWith(some)).length, 1);
});

test('work that is no longer measured is a drift', () => {
  const other = { ...lookups, work: 'others' };
  assert.deepEqual(driftsBetween(runWith(lookups, other), runWith(lookups)), [
    'pdns: others: is no longer measured',
  ]);
});
