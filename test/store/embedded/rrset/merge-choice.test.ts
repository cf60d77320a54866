import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseRuns } from '../../../../src/store/embedded/rrset/merge-choice.ts';

const runs = (...sizes: readonly number[]) =>
  sizes.map((rrsets, index) => ({
    name: `run-${index}`,
    rrsets,
    bytes: 0,
    minFirst: 0,
    maxLast: 0,
    hasTrigrams: false,
    checksums: [],
    sequence: index + 1,
    told: true,
  }));
const chosen = (sizes: readonly number[], groupMin: number) =>
  chooseRuns(runs(...sizes), groupMin)?.map(({ rrsets }) => rrsets);

test('runs of like size are merged once there are enough of them', () => {
  assert.equal(chosen([100, 100, 100], 4), undefined);
  assert.deepEqual(chosen([100, 100, 100, 100], 4), [100, 100, 100, 100]);
});

test('a large run is left alone beside small ones', () => {
  assert.deepEqual(chosen([1_000_000, 10, 10, 10, 10], 4), [10, 10, 10, 10]);
});

test('one tiny run does not keep larger ones from being merged', () => {
  assert.deepEqual(chosen([1, 500, 500, 500, 500], 4), [500, 500, 500, 500]);
});

test('untold runs are never merged, and no group has one between its members', () => {
  const listed = runs(10, 10, 10, 10, 10).map((run) => ({ ...run, told: run.sequence !== 3 }));
  assert.equal(chooseRuns(listed, 3), undefined);
  assert.deepEqual(
    chooseRuns(listed, 2)?.map(({ sequence }) => sequence),
    [1, 2],
  );
  const history = listed.filter(({ sequence }) => sequence > 1);
  assert.deepEqual(
    chooseRuns(history, 2)?.map(({ sequence }) => sequence),
    [4, 5],
  );
});

test('however data trickles in, the number of runs stays logarithmic', () => {
  const sizes: number[] = [];
  for (let batch = 0; batch < 5000; batch += 1) {
    sizes.push(100);
    for (;;) {
      const group = chosen(sizes, 4);
      if (!group) break;
      for (const size of group) sizes.splice(sizes.indexOf(size), 1);
      sizes.push(group.reduce((sum, size) => sum + size, 0));
    }
    assert.ok(sizes.length <= 24, `${sizes.length} runs after ${batch + 1} batches`);
  }
});
