import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  drainLeasedWork,
  type LeasedWork,
  startLeasedWorkers,
} from '../../src/concurrency/leased-workers.ts';

/** Items 1 to `count`, leased in order. */
function queue(count: number) {
  const items = Array.from({ length: count }, (_, index) => index + 1);
  return { items, lease: async (limit: number) => items.splice(0, limit) };
}

function start<Result>(t: TestContext, work: Omit<LeasedWork<number, Result>, 'pollMs' | 'onFailure'>) {
  const failures: string[] = [];
  const onFailure = (error: unknown) => failures.push((error as Error).message);
  const workers = startLeasedWorkers({ pollMs: 1, onFailure, ...work });
  // The timers of the loop do not keep a process alive.
  const keepAlive = setInterval(() => undefined, 1000);
  t.after(async () => {
    clearInterval(keepAlive);
    await workers.close();
  });
  return { workers, failures };
}

test('items are performed concurrently up to the limit, and each is completed with its result', async (t) => {
  const { lease } = queue(10);
  const completed: [number, string][] = [];
  let [active, most] = [0, 0];
  start(t, {
    concurrency: 3,
    lease,
    perform: async (item) => {
      most = Math.max(most, ++active);
      await pause(2);
      active -= 1;
      return `result ${item}`;
    },
    complete: async (item, result) => void completed.push([item, result]),
  });
  while (completed.length < 10) await pause(5);
  assert.equal(most, 3);
  assert.deepEqual(new Map(completed).get(7), 'result 7');
});

test('an item that has made room lets another begin, until as many again wait', async (t) => {
  const { lease } = queue(10);
  const begun: number[] = [];
  const release = Promise.withResolvers<void>();
  const { workers } = start(t, {
    concurrency: 3,
    lease,
    perform: async (item, _signal, makeRoom) => {
      begun.push(item);
      makeRoom();
      await release.promise;
    },
  });
  while (begun.length < 6) await pause(5);
  await pause(50);
  assert.deepEqual([begun.length, workers.active], [6, 6]);
  release.resolve();
  while (begun.length < 10) await pause(5);
});

test('no more items begin within a second than the rate allows', async (t) => {
  const { items, lease } = queue(10);
  const startedMs = performance.now();
  const beganMs: number[] = [];
  start(t, {
    concurrency: 10,
    maxPerSecond: 4,
    lease,
    perform: async () => void beganMs.push(performance.now() - startedMs),
  });
  while (beganMs.length < 5) await pause(5);
  assert.ok((beganMs[3] as number) < 900);
  assert.ok((beganMs[4] as number) >= 999);
  assert.ok(items.length >= 2);
});

test('an item that throws or exceeds its deadline is failed, and the others go on', async (t) => {
  const { lease } = queue(3);
  const failed: string[] = [];
  const completed: number[] = [];
  const { failures } = start(t, {
    concurrency: 3,
    deadlineMs: 30,
    lease,
    perform: async (item, signal) => {
      if (item === 1) throw new Error('bad item');
      if (item === 2) await pause(60_000, undefined, { signal });
    },
    complete: async (item) => void completed.push(item),
    fail: async (item, error) => void failed.push(`${item}: ${(error as Error).message}`),
  });
  while (failed.length < 2) await pause(5);
  assert.deepEqual([completed, failures], [[3], []]);
  assert.deepEqual(failed, ['1: bad item', '2: not done within 30 ms']);
});

test('an error of the lease or of an item without its own handler is reported, and the loop goes on', async (t) => {
  const { lease } = queue(2);
  let leases = 0;
  const { failures } = start(t, {
    concurrency: 1,
    lease: async (limit) => {
      if (++leases === 1) throw new Error('store is busy');
      return lease(limit);
    },
    perform: async (item) => {
      throw new Error(`item ${item}`);
    },
  });
  while (failures.length < 3) await pause(5);
  assert.deepEqual(failures, ['store is busy', 'item 1', 'item 2']);
});

test('closing aborts what is under way and releases it', async (t) => {
  const { lease } = queue(2);
  const released: number[] = [];
  const begun: number[] = [];
  const { workers, failures } = start(t, {
    concurrency: 2,
    lease,
    perform: async (item, signal) => {
      begun.push(item);
      await once(signal, 'abort');
      throw new Error('aborted');
    },
    release: async (item) => void released.push(item),
  });
  while (begun.length < 2) await pause(5);
  assert.equal(workers.active, 2);
  await workers.close();
  assert.deepEqual([released, failures, workers.active], [[1, 2], [], 0]);
});

test('nothing is leased before it is due', async (t) => {
  const { lease } = queue(1);
  let [dueInMs, leases] = [60_000, 0];
  const performed: number[] = [];
  start(t, {
    concurrency: 1,
    msUntilDue: async () => dueInMs,
    lease: (limit) => {
      leases += 1;
      return lease(limit);
    },
    perform: async (item) => void performed.push(item),
  });
  await pause(60);
  assert.equal(leases, 0);
  dueInMs = 0;
  while (performed.length === 0) await pause(5);
});

test('draining ends when nothing is due, and throws the first unhandled error', async () => {
  const { lease } = queue(5);
  const performed: number[] = [];
  const work = { concurrency: 2, lease };
  await drainLeasedWork({ ...work, perform: async (item) => void performed.push(item) });
  assert.deepEqual(performed, [1, 2, 3, 4, 5]);
  const broken = { ...work, lease: () => Promise.reject(new Error('store is gone')) };
  await assert.rejects(drainLeasedWork({ ...broken, perform: async () => undefined }), /store is gone/);
  const fail = () => Promise.reject(new Error('bad item'));
  await assert.rejects(drainLeasedWork({ ...queue(3), concurrency: 1, perform: fail }), /bad item/);
  await drainLeasedWork({ ...queue(3), concurrency: 1, perform: fail, fail: async () => undefined });
});

test('draining stops with its signal and releases what was leased', async () => {
  const { items, lease } = queue(5);
  const stopping = new AbortController();
  const released: number[] = [];
  await drainLeasedWork(
    {
      concurrency: 1,
      lease,
      perform: async (item) => {
        if (item === 2) stopping.abort();
        if (item === 2) throw new Error('aborted');
      },
      release: async (item) => void released.push(item),
    },
    stopping.signal,
  );
  assert.deepEqual([released, items], [[2], [3, 4, 5]]);
});
