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
