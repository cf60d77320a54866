import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pausedIntake } from '../../../src/collect/dnstap/paused-intake.ts';
import { settlesWithin } from '../../../src/concurrency/deadline.ts';
import type { Rrset } from '../../../src/model/dns/rrset.ts';
import { Problem } from '../../../src/model/problem.ts';

const observation = {} as Rrset;

test('while disk space is low every observation is still accepted, and applies backpressure until there is room', async () => {
  const space = { isLow: true };
  let [added, flushed] = [0, 0];
  const intake = pausedIntake(
    {
      add: () => {
        added += 1;
        return undefined;
      },
      flush: async () => void (flushed += 1),
    },
    { hasRoom: () => !space.isLow },
    new AbortController().signal,
  );
  const keepAlive = setInterval(() => undefined, 1000);
  const room = intake.add(observation);
  assert.ok(room && intake.add(observation));
  await intake.flush();
  assert.equal(await settlesWithin(room, 20), false);
  space.isLow = false;
  await room;
  clearInterval(keepAlive);
  assert.deepEqual([intake.add(observation), added, flushed], [undefined, 3, 1]);
});

test('the wait for disk space ends when the server stops', async () => {
  const stopping = new AbortController();
  const intake = pausedIntake(
    { add: () => undefined, flush: async () => undefined },
    { hasRoom: () => false },
    stopping.signal,
  );
  const room = intake.add(observation);
  stopping.abort();
  await room;
});

test('while the store is away an observation that finds no room waits for it, and other failures are thrown', async () => {
  const away = new Problem('try-again', 'ClickHouse is away');
  const failures: Error[] = [away];
  const withFailures = () =>
    pausedIntake(
      {
        add: () => Promise.reject(away),
        flush: async () => {
          const failure = failures.shift();
          if (failure) throw failure;
        },
      },
      { hasRoom: () => true },
      new AbortController().signal,
    );
  const waiting = withFailures().add(observation);
  assert.equal(await settlesWithin(waiting as Promise<void>, 100), false);
  await waiting;
  assert.equal(failures.length, 0);
  failures.push(new Error('damaged'));
  await assert.rejects(withFailures().add(observation) as Promise<void>, /damaged/);
});
