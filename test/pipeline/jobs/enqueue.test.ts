import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feedStream } from '../../../src/model/stream-names.ts';
import { enqueueDiscovered } from '../../../src/pipeline/jobs/enqueue-discovered.ts';
import { enqueueStale } from '../../../src/pipeline/jobs/enqueue-stale.ts';
import type { LogPosition } from '../../../src/store/paging/log-position.ts';
import { collectWorld, foundBy, shortly } from '../../harness/fixtures/collection-fixture.ts';
import { feedLines } from '../../harness/fixtures/discovery-fixture.ts';

const dayMs = 86_400_000;
const stream = feedStream('domaindiscovery');

test('every discovered domain gets a job that is due immediately, and no line is read twice', async (t) => {
  const world = collectWorld(t);
  const names = Array.from({ length: 3000 }, (_, index) => `site${index}.com`);
  const append = (bytes: Uint8Array) => world.streams.append([{ stream, bytes }], world.clock.now());
  await append(feedLines(names, world.clock.now()));
  await append(Buffer.from('no json\n{"domain":7}\n{"domain":"*.wild.com"}\n{"domain":"a b.com"}\n'));
  let enqueued = 0;
  const onEnqueued = (count: number) => {
    enqueued += count;
  };
  assert.equal(await enqueueDiscovered({ ...world, onEnqueued }), 'done');
  assert.equal(enqueued, 3000);
  await enqueueDiscovered({ ...world, onEnqueued });
  assert.equal(enqueued, 3000);
  const nowMs = world.clock.now();
  const due = await world.jobs.leaseJobs('collect', 4000, nowMs, nowMs + 1);
  assert.deepEqual(due.map(({ subject }) => subject).sort(), names.sort());
});

test('every record gets one job for when it is stale, wherever it came from', async (t) => {
  const world = collectWorld(t);
  const write = (names: readonly string[]) =>
    world.domains.upsert(
      names.map((domain) => ({ record: { domain }, source: 'import', seenMs: world.clock.now() })),
    );
  const names = Array.from({ length: 1200 }, (_, index) => `site${index}.com`);
  await write(names);
  await world.enqueue('site7.com');
  const needs = { ...world, refreshDays: 10 };
  assert.equal(await enqueueStale(needs), 'done');
  const nowMs = world.clock.now();
  const due = async (days: number) => {
    const jobs = await world.jobs.leaseJobs('collect', 5000, nowMs + days * dayMs, nowMs + days * dayMs + 1);
    for (const job of jobs) await world.jobs.finishJob(job, undefined);
    return jobs.map(({ subject }) => subject);
  };
  assert.deepEqual(await due(0), ['site7.com']);
  assert.deepEqual(await due(9.9), []);
  const stale = await due(11);
  assert.deepEqual(stale.sort(), names.filter((name) => name !== 'site7.com').sort());
  await write(['new.com', 'site8.com']);
  await enqueueStale(needs);
  assert.deepEqual(await due(11), ['new.com']);
});

test('of two processes that enqueue the same stale records, one moves the checkpoint', async (t) => {
  const world = collectWorld(t);
  const page = { names: ['a.com'], position: '1' };
  const { promise: bothListed, resolve } = Promise.withResolvers<void>();
  let listed = 0;
  const domains = {
    listNames: async (after: LogPosition) => {
      if (after === '1') return { names: [], position: '1' };
      listed += 1;
      if (listed === 2) resolve();
      await bothListed;
      return page;
    },
  };
  const outcomes = await Promise.all([1, 2].map(() => enqueueStale({ ...world, domains, refreshDays: 1 })));
  assert.deepEqual(outcomes.sort(), ['busy', 'done']);
});

test('a discovered name becomes a record, unless collect.newDomains is off', async (t) => {
  const world = collectWorld(t);
  const append = (name: string) =>
    world.streams.append([{ stream, bytes: feedLines([name], world.clock.now()) }], world.clock.now());
  const collectors = [foundBy('dns', { ip: [{ address: '192.0.2.1' }] })];
  await append('fresh.com');
  const watching = world.start(collectors, { newDomains: false });
  await world.enqueue('watched.com');
  while (watching.statistics().domains < 1) await shortly();
  await watching.close();
  assert.equal(watching.statistics().discovered, 0);
  const collecting = world.start(collectors);
  while (collecting.statistics().domains < 1) await shortly();
  await collecting.close();
  assert.equal(collecting.statistics().discovered, 1);
  assert.deepEqual((await world.record('fresh.com'))?.ip, [{ address: '192.0.2.1' }]);
  assert.deepEqual(world.failures, []);
});

test('a record that nobody collected becomes due when it is stale, unless collect.newDomains is off', async (t) => {
  const world = collectWorld(t);
  await world.domains.upsert([
    { record: { domain: 'scored.com' }, source: 'risk', seenMs: world.clock.now() },
  ]);
  const collectors = [foundBy('dns', { ip: [{ address: '192.0.2.1' }] })];
  const waiting = async () => (await world.jobs.statistics('collect', world.clock.now())).waiting;
  await world.round(['watched.com'], collectors);
  // Its own refresh alone.
  assert.equal(await waiting(), 1);
  const collecting = world.start(collectors);
  while ((await waiting()) < 2) await shortly();
  await collecting.close();
  assert.deepEqual(world.failures, []);
});
