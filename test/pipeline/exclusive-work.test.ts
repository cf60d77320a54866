import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type ExclusiveWorkNeeds, workExclusively } from '../../src/pipeline/exclusive-work.ts';
import { openLeaseStore } from '../../src/store/embedded/lease-store.ts';
import { LeaseLost } from '../../src/store/lease/fencing-token.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

const times = { leaseMs: 400, everyMs: 20 };

function workers(t: TestContext) {
  const leases = openLeaseStore(temporaryDirectory(t));
  t.after(() => leases.close());
  const active = new Set<string>();
  const seen: string[] = [];
  let most = 0;
  const start = (holder: string, change: Partial<ExclusiveWorkNeeds> = {}) => {
    const stopping = new AbortController();
    const needs = {
      leases,
      clock: { now: Date.now },
      holder,
      signal: stopping.signal,
      onFailure: () => undefined,
      times,
      ...change,
    };
    const running = workExclusively('source', needs, async ({ signal }) => {
      active.add(holder);
      seen.push(holder);
      most = Math.max(most, active.size);
      if (!signal.aborted) await once(signal, 'abort');
      active.delete(holder);
    });
    const stop = async () => {
      stopping.abort();
      await running;
    };
    t.after(stop);
    return { stop };
  };
  const until = async (holder: string) => {
    while (!active.has(holder)) await pause(5);
  };
  return { start, until, seen, most: () => most, leases };
}

test('one worker does the work, and when it stops another one goes on with it', async (t) => {
  const world = workers(t);
  const first = world.start('one');
  await world.until('one');
  world.start('two');
  await pause(100);
  assert.deepEqual(world.seen, ['one']);
  await first.stop();
  await world.until('two');
  assert.equal(world.most(), 1);
});

test('a worker that cannot renew its lease ends its work before another one may have it', async (t) => {
  const world = workers(t);
  let isCutOff = false;
  const failures: unknown[] = [];
  const leases = {
    ...world.leases,
    acquireLease: async (...given: Parameters<typeof world.leases.acquireLease>) => {
      if (isCutOff) throw new Error('cut off');
      return world.leases.acquireLease(...given);
    },
  };
  world.start('one', { leases, onFailure: (error) => failures.push(error) });
  await world.until('one');
  world.start('two');
  isCutOff = true;
  await world.until('two');
  assert.deepEqual([world.most(), failures.length > 0], [1, true]);
});

test('a write that is refused because another worker has the lease ends the work, and the error is passed on', async (t) => {
  const world = workers(t);
  const stopping = new AbortController();
  t.after(() => stopping.abort());
  const errors: unknown[] = [];
  const ended = Promise.withResolvers<void>();
  const needs = {
    leases: world.leases,
    clock: { now: Date.now },
    holder: 'one',
    signal: stopping.signal,
    onFailure: () => undefined,
    times: { leaseMs: 600_000, everyMs: 300_000 },
  };
  void workExclusively('source', needs, async ({ signal, fence, guard }) => {
    await guard(() => Promise.reject(new LeaseLost(fence.lease))).catch((error) => errors.push(error));
    assert.equal(signal.aborted, true);
    ended.resolve();
  });
  await ended.promise;
  assert.ok(errors[0] instanceof LeaseLost);
});

test('a worker that gets its lease back after another one had it begins its work anew', async (t) => {
  const world = workers(t);
  let resumed = Promise.resolve();
  const leases = {
    ...world.leases,
    acquireLease: async (...given: Parameters<typeof world.leases.acquireLease>) => {
      await resumed;
      return world.leases.acquireLease(...given);
    },
  };
  world.start('one', { leases });
  await world.until('one');
  const resuming = Promise.withResolvers<void>();
  resumed = resuming.promise;
  const nowMs = Date.now() + times.leaseMs * 2;
  assert.ok(await world.leases.acquireLease('source', 'two', nowMs, nowMs + 60_000));
  await world.leases.releaseLease('source', 'two');
  resuming.resolve();
  while (world.seen.length < 2) await pause(5);
  assert.deepEqual(world.seen, ['one', 'one']);
});
