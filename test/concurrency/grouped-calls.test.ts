import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GroupedCalls } from '../../src/concurrency/grouped-calls.ts';

/** Doubles numbers, and records the groups in which they came. */
function doubling(sizeMax?: number) {
  const groups: (readonly number[])[] = [];
  const calls = new GroupedCalls<number, number>(async (items) => {
    groups.push(items);
    await Promise.resolve();
    if (items.includes(0)) throw new Error('zero');
    return items.map((item) => item * 2);
  }, sizeMax);
  return { groups, calls };
}

test('calls of one iteration of the event loop are handled together, and each has its own result', async () => {
  const { groups, calls } = doubling();
  assert.deepEqual(await Promise.all([1, 2, 3].map((item) => calls.call(item))), [2, 4, 6]);
  assert.deepEqual(groups, [[1, 2, 3]]);
});

test('calls that come while others are handled are handled next, together', async () => {
  const { groups, calls } = doubling();
  const later = calls.call(1).then(() => 0);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(await Promise.all([later, calls.call(2), calls.call(3)]), [0, 4, 6]);
  assert.deepEqual(groups, [[1], [2, 3]]);
});

test('a group is no larger than its maximum', async () => {
  const { groups, calls } = doubling(2);
  assert.deepEqual(await Promise.all([1, 2, 3].map((item) => calls.call(item))), [2, 4, 6]);
  assert.deepEqual(groups, [[1, 2], [3]]);
});

test('a group that fails fails for all of its calls, and the next is handled', async () => {
  const { calls } = doubling(2);
  const outcomes = await Promise.allSettled([0, 1, 2].map((item) => calls.call(item)));
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  );
  assert.equal(await calls.call(4), 8);
});

test('finishing waits for all calls made before', async () => {
  const { groups, calls } = doubling(1);
  const results = [1, 2].map((item) => calls.call(item));
  await calls.finish();
  assert.equal(groups.length, 2);
  assert.deepEqual(await Promise.all(results), [2, 4]);
});
