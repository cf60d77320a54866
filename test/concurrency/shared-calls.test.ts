import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedCalls } from '../../src/concurrency/shared-calls.ts';

const iteration = () => new Promise<void>((resolve) => setImmediate(resolve));

test('calls of one iteration of the event loop are handled together, and each gets its own result', async () => {
  const groups: (readonly number[])[] = [];
  const calls = new SharedCalls<number, number>(async (items) => {
    groups.push(items);
    return items.map((item) => item * 2);
  }, 10);
  assert.deepEqual(await Promise.all([calls.call(1), calls.call(2), calls.call(3)]), [2, 4, 6]);
  assert.deepEqual(groups, [[1, 2, 3]]);
});

test('calls of the next iteration do not wait for those before them', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const calls = new SharedCalls<string, string>(async (items) => {
    if (items.includes('slow')) await held;
    return items;
  }, 10);
  const slow = calls.call('slow');
  await iteration();
  assert.equal(await calls.call('quick'), 'quick');
  release();
  assert.equal(await slow, 'slow');
});

test('more calls than the greatest size are handled in several groups', async () => {
  const sizes: number[] = [];
  const calls = new SharedCalls<number, number>(async (items) => {
    sizes.push(items.length);
    return items;
  }, 2);
  assert.deepEqual(await Promise.all([1, 2, 3, 4, 5].map((item) => calls.call(item))), [1, 2, 3, 4, 5]);
  assert.deepEqual(sizes, [2, 2, 1]);
});

test('a group that fails is an error for each of its calls, and for no later one', async () => {
  let isFaulty = true;
  const calls = new SharedCalls<number, number>(async (items) => {
    if (isFaulty) throw new Error('away');
    return items;
  }, 10);
  const outcomes = await Promise.allSettled([calls.call(1), calls.call(2)]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  isFaulty = false;
  assert.equal(await calls.call(3), 3);
});
