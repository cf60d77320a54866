import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Mutex } from '../../src/concurrency/mutex.ts';

test('work never overlaps, and runs in the order of the calls', async () => {
  const mutex = new Mutex();
  const order: number[] = [];
  let active = 0;
  const work = (number: number) => async () => {
    assert.equal(++active, 1);
    await pause(5 - number);
    order.push(number);
    active -= 1;
    return number;
  };
  assert.deepEqual(await Promise.all([0, 1, 2, 3].map((number) => mutex.runExclusive(work(number)))), order);
  assert.deepEqual(order, [0, 1, 2, 3]);
});

test('work that fails rejects for its caller alone', async () => {
  const mutex = new Mutex();
  const failed = mutex.runExclusive(() => Promise.reject(new Error('no')));
  const after = mutex.runExclusive(async () => 'after');
  await assert.rejects(failed, /no/);
  assert.equal(await after, 'after');
});
