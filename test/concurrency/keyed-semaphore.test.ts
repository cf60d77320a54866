import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { KeyedSemaphore } from '../../src/concurrency/keyed-semaphore.ts';

const never = new AbortController().signal;

/** Work that ends when it is called. */
function openWork() {
  const running: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => void running.push(resolve));
  return { running, work };
}

test('so many of a key run at once, and the others begin in order as these end', async () => {
  const semaphore = new KeyedSemaphore(2);
  const { running, work } = openWork();
  const all = Array.from({ length: 4 }, () => semaphore.run('a', never, work));
  await yieldToEventLoop();
  assert.equal(running.length, 2);
  running[0]?.();
  await yieldToEventLoop();
  assert.equal(running.length, 3);
  for (let index = 1; index < 4; index += 1) {
    running[index]?.();
    await yieldToEventLoop();
  }
  await Promise.all(all);
});

test('keys do not wait for one another', async () => {
  const semaphore = new KeyedSemaphore(1);
  const { running, work } = openWork();
  const both = [semaphore.run('a', never, work), semaphore.run('b', never, work)];
  await yieldToEventLoop();
  assert.equal(running.length, 2);
  for (const end of running) end();
  await Promise.all(both);
});

test('work that waits is given up with its signal, and does not take the permit of another', async () => {
  const semaphore = new KeyedSemaphore(1);
  const { running, work } = openWork();
  const first = semaphore.run('a', never, work);
  const ending = new AbortController();
  const second = semaphore.run('a', ending.signal, work);
  const third = semaphore.run('a', never, work);
  ending.abort(new Error('gone'));
  await assert.rejects(second, /gone/);
  running[0]?.();
  await first;
  await yieldToEventLoop();
  assert.equal(running.length, 2);
  running[1]?.();
  await third;
});

test('work that fails releases its permit', async () => {
  const semaphore = new KeyedSemaphore(1);
  await assert.rejects(
    semaphore.run('a', never, () => Promise.reject(new Error('failed'))),
    /failed/,
  );
  assert.equal(await semaphore.run('a', never, async () => 'next'), 'next');
});
