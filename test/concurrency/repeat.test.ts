import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeat } from '../../src/concurrency/repeat.ts';

test('work is repeated until the signal, and errors are reported and retried', async () => {
  const stopping = new AbortController();
  const failures: string[] = [];
  let rounds = 0;
  const work = async () => {
    rounds += 1;
    if (rounds === 2) throw new Error('once');
    if (rounds === 5) stopping.abort();
  };
  const keepAlive = setInterval(() => undefined, 1000);
  await repeat(work, {
    everyMs: 1,
    signal: stopping.signal,
    onFailure: (error) => failures.push((error as Error).message),
  });
  clearInterval(keepAlive);
  assert.deepEqual([rounds, failures], [5, ['once']]);
});

test('consecutive failures wait twice as long each time, and a success resets that', async () => {
  const stopping = new AbortController();
  const atMs: number[] = [];
  const work = async () => {
    atMs.push(performance.now());
    if (atMs.length <= 4) throw new Error('no');
    if (atMs.length === 6) stopping.abort();
  };
  const keepAlive = setInterval(() => undefined, 1000);
  await repeat(work, { everyMs: 10, signal: stopping.signal, onFailure: () => undefined });
  clearInterval(keepAlive);
  const [one = 0, two = 0, three = 0, four = 0, five = 0] = atMs
    .slice(1)
    .map((ms, index) => ms - (atMs[index] ?? 0));
  // Timers may be a little early by the clock used here, and late on a busy machine.
  assert.ok(one > 18 && two > 38 && three > 78 && four > 158);
  assert.ok(five < four);
});

test('work that is paused is left out until it no longer is', async () => {
  const stopping = new AbortController();
  const states = [true, true, false, true, false];
  const worked: number[] = [];
  let rounds = 0;
  const keepAlive = setInterval(() => undefined, 1000);
  await repeat(async () => void worked.push(rounds), {
    everyMs: 1,
    signal: stopping.signal,
    onFailure: () => undefined,
    isPaused: () => {
      rounds += 1;
      if (rounds === states.length) stopping.abort();
      return states[rounds - 1] === true;
    },
  });
  clearInterval(keepAlive);
  assert.deepEqual(worked, [3, 5]);
});
