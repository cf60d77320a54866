import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { DeadlineExceeded, settlesWithin, Timeout, withDeadline } from '../../src/concurrency/deadline.ts';

const never = new AbortController().signal;
const limits = { stop: never, deadlineMs: 60_000, graceMs: 10 };

test('work within its deadline gives its result or its error', async () => {
  assert.equal(await withDeadline(async () => 7, limits), 7);
  await assert.rejects(
    withDeadline(() => Promise.reject(new Error('no')), limits),
    /no/,
  );
});

test('at the deadline the signal of the work is aborted, and its end is waited for', async () => {
  let isClean = false;
  const work = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        isClean = true;
        reject(new Error('stopped'));
      });
    });
  await assert.rejects(withDeadline(work, { ...limits, deadlineMs: 1 }), DeadlineExceeded);
  assert.ok(isClean);
});

test('work that ignores its signal is abandoned after the grace period', async () => {
  await assert.rejects(
    withDeadline(() => new Promise(() => undefined), { ...limits, deadlineMs: 1 }),
    /not done within 1 ms/,
  );
});

test('a stop ends the work with its own reason, even one that came before', async () => {
  const stopping = new AbortController();
  stopping.abort(new Error('shutting down'));
  await assert.rejects(
    withDeadline((signal) => pause(60_000, undefined, { signal }), { ...limits, stop: stopping.signal }),
    /shutting down/,
  );
});

test('waiting for a promise ends with it, after the timeout, or with the signal', async () => {
  const forever = new Promise(() => undefined);
  assert.equal(await settlesWithin(Promise.resolve(), 60_000), true);
  assert.equal(await settlesWithin(Promise.reject(new Error('no')), 60_000), true);
  assert.equal(await settlesWithin(forever, 1), false);
  assert.equal(await settlesWithin(forever, 60_000, AbortSignal.abort()), false);
  const leaving = new AbortController();
  const waiting = settlesWithin(forever, 60_000, leaving.signal);
  leaving.abort();
  assert.equal(await waiting, false);
});

test('a timeout ends its signal when the time is over, and not after it was cleared', async () => {
  const [over, cleared] = [new Timeout(1, undefined), new Timeout(1, never)];
  cleared.clear();
  await pause(20);
  assert.deepEqual([over.isOver, over.signal.aborted], [true, true]);
  assert.deepEqual([cleared.isOver, cleared.signal.aborted], [false, false]);
});

test('a timeout ends with another signal and its reason, even one that came before', () => {
  const stopping = new AbortController();
  const before = new Timeout(60_000, stopping.signal);
  stopping.abort(new Error('shutting down'));
  const after = new Timeout(60_000, stopping.signal);
  for (const { signal, isOver } of [before, after]) {
    assert.equal(isOver, false);
    assert.match(String(signal.reason), /shutting down/);
  }
  for (const timeout of [before, after]) timeout.clear();
});
