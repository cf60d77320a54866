import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseOldFormat, chooseSegments } from '../../../src/store/rrset/compaction-strategy.ts';

const segments = (...sizes: readonly number[]) =>
  sizes.map((rrsets, index) => ({
    name: `segment-${index}`,
    rrsets,
    bytes: 0,
    minFirst: 0,
    maxLast: 0,
    hasTrigrams: false,
    checksums: [],
    sequence: index + 1,
    published: true,
    format: 2,
  }));
const chosen = (sizes: readonly number[], groupMin: number) =>
  chooseSegments(segments(...sizes), groupMin)?.map(({ rrsets }) => rrsets);

test('segments of similar size are compacted once there are enough of them', () => {
  assert.equal(chosen([100, 100, 100], 4), undefined);
  assert.deepEqual(chosen([100, 100, 100, 100], 4), [100, 100, 100, 100]);
});

test('a large segment is not compacted with small ones', () => {
  assert.deepEqual(chosen([1_000_000, 10, 10, 10, 10], 4), [10, 10, 10, 10]);
});

test('one tiny segment does not prevent the compaction of larger ones', () => {
  assert.deepEqual(chosen([1, 500, 500, 500, 500], 4), [500, 500, 500, 500]);
});

test('unpublished segments are never compacted, and no group spans one', () => {
  const listed = segments(10, 10, 10, 10, 10).map((segment) => ({
    ...segment,
    published: segment.sequence !== 3,
  }));
  assert.equal(chooseSegments(listed, 3), undefined);
  assert.deepEqual(
    chooseSegments(listed, 2)?.map(({ sequence }) => sequence),
    [1, 2],
  );
  const history = listed.filter(({ sequence }) => sequence > 1);
  assert.deepEqual(
    chooseSegments(history, 2)?.map(({ sequence }) => sequence),
    [4, 5],
  );
});

test('the number of segments stays logarithmic as small batches are added', () => {
  const sizes: number[] = [];
  for (let batch = 0; batch < 5000; batch += 1) {
    sizes.push(100);
    for (;;) {
      const group = chosen(sizes, 4);
      if (!group) break;
      for (const size of group) sizes.splice(sizes.indexOf(size), 1);
      sizes.push(group.reduce((sum, size) => sum + size, 0));
    }
    assert.ok(sizes.length <= 24, `${sizes.length} segments after ${batch + 1} batches`);
  }
});

test('a published segment of an old file format is rewritten by itself', () => {
  const [first, second, third] = segments(10, 20, 30) as [never, never, never];
  const old = { ...(second as ReturnType<typeof segments>[number]), format: 1 };
  assert.deepEqual(chooseOldFormat([first, old, third]), [old]);
  assert.equal(chooseOldFormat([first, { ...old, published: false }, third]), undefined);
  assert.equal(chooseOldFormat([first, second, third]), undefined);
});
