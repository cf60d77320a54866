import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AcquireOptions, KeyedMutex } from '../../src/concurrency/keyed-mutex.ts';

const options = (timeoutMs: number, signal = new AbortController().signal): AcquireOptions => ({
  timeoutMs,
  signal,
  timeoutError: () => new Error('still held'),
});

test('one key has one holder at a time, and other keys are independent', async () => {
  const mutex = new KeyedMutex();
  const release = await mutex.acquire('a', options(1000));
  (await mutex.acquire('b', options(1000)))();
  let isSecond = false;
  const second = mutex.acquire('a', options(1000)).then((next) => {
    isSecond = true;
    return next;
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isSecond, false);
  release();
  (await second)();
});

test('a waiter gives up after its timeout or with its signal, and the next one still waits for the holder', async () => {
  const mutex = new KeyedMutex();
  const release = await mutex.acquire('a', options(1000));
  await assert.rejects(mutex.acquire('a', options(1)), /still held/);
  const leaving = new AbortController();
  const left = mutex.acquire('a', options(60_000, leaving.signal));
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  const order: string[] = [];
  const next = mutex.acquire('a', options(1000)).then((over) => {
    order.push('acquired');
    return over;
  });
  await new Promise((resolve) => setImmediate(resolve));
  order.push('released');
  release();
  (await next)();
  assert.deepEqual(order, ['released', 'acquired']);
});
