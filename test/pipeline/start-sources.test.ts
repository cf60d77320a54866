import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import type { NameSource } from '../../src/collect/sources/source.ts';
import { dayMs } from '../../src/model/durations.ts';
import { hostsStream, namesStream } from '../../src/model/stream-names.ts';
import { startSources } from '../../src/pipeline/start-sources.ts';
import { nameWorld } from '../harness/fixtures/name-fixture.ts';
import { namesInFeed } from '../harness/fixtures/observation-fixture.ts';
import { unsavedHealth } from '../harness/health-reporter.ts';

const seenMs = 1_800_000_000_000;

test('all sources are polled repeatedly, a failing one delays no other, and new domains are published', async (t) => {
  const { names, streams, leases, clock } = nameWorld(t);
  const happened = new EventEmitter();
  const failures: string[] = [];
  let rounds = 0;
  const good: NameSource = {
    name: 'good',
    everyMs: 1,
    statistics: () => ({ entries: 7, lag: 2 }),
    async poll(intake) {
      const checkpoint = Number((await intake.findCheckpoint('good')) ?? 0);
      const batch = {
        names: [`n${checkpoint}.example`, 'same.example'],
        seenMs,
        checkpoint: String(checkpoint + 1),
      };
      await intake.ingest('good', batch);
      if (++rounds === 5) happened.emit('rounds');
    },
  };
  const bad: NameSource = {
    name: 'bad',
    everyMs: 1,
    poll: () => Promise.reject(new Error('the log is unreachable')),
  };
  const onFailure = (error: unknown, source: string) => {
    failures.push(`${source}: ${(error as Error).message}`);
    if (failures.length === 3) happened.emit('failures');
  };
  const health = unsavedHealth(clock);
  const both = [once(happened, 'rounds'), once(happened, 'failures')];
  const sources = startSources({ sources: [good, bad], names, streams, leases, clock, health, onFailure });
  await Promise.all(both);
  while (sources.statistics().published < 5) await new Promise((resolve) => setTimeout(resolve, 10));
  await sources.close();
  const { good: counts, bad: badCounts } = sources.bySource();
  assert.deepEqual(new Set(failures), new Set(['bad: the log is unreachable']));
  assert.deepEqual([badCounts?.batches, badCounts?.failures], [0, failures.length]);
  assert.deepEqual([counts?.batches, counts?.['lag']], [rounds, 2]);
  assert.deepEqual([counts?.names, counts?.newDomains], [2 * rounds, rounds + 1]);
  assert.equal(sources.statistics()['entries'], 7);
  const [goodPart, badPart] = health.parts();
  assert.deepEqual([goodPart?.total, goodPart?.backlog, goodPart?.failuresInRow], [2 * rounds, 2, 0]);
  assert.deepEqual([badPart?.lastError, badPart?.failuresInRow], ['the log is unreachable', failures.length]);
  assert.equal(new Set(await namesInFeed(streams, 'domaindiscovery')).size, sources.statistics().published);
});

test('closing aborts the signal of a source at work, and waits for it', async (t) => {
  const { names, streams, leases, clock } = nameWorld(t);
  const happened = new EventEmitter();
  const begun = once(happened, 'begun');
  let isOver = false;
  const source: NameSource = {
    name: 'long',
    everyMs: 1,
    async poll(_intake, signal) {
      happened.emit('begun');
      await once(signal, 'abort');
      await new Promise((resolve) => setImmediate(resolve));
      isOver = true;
    },
  };
  const onFailure = (error: unknown) => assert.fail(String(error));
  const sources = startSources({
    sources: [source],
    names,
    streams,
    leases,
    clock,
    health: unsavedHealth(clock),
    onFailure,
  });
  await begun;
  await sources.close();
  assert.ok(isOver);
});

test('while disk space is low a source waits with its names, without a failure, and goes on when there is room', async (t) => {
  const { names, streams, leases, clock } = nameWorld(t);
  const space = { isLow: true, readings: 0 };
  const source: NameSource = {
    name: 'list',
    everyMs: 60_000,
    poll: async (intake) => void (await intake.ingest('list', { names: ['a.example'], seenMs })),
  };
  const sources = startSources({
    sources: [source],
    names,
    streams,
    leases,
    clock,
    health: unsavedHealth(clock),
    onFailure: (error) => assert.fail(String(error)),
    freeSpace: {
      hasRoom: () => {
        space.readings += 1;
        return !space.isLow;
      },
    },
  });
  const until = async (isTrue: () => boolean) => {
    while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  await until(() => space.readings >= 3);
  assert.equal(sources.statistics().names, 0);
  space.isLow = false;
  await until(() => sources.statistics().published === 1);
  await sources.close();
  assert.deepEqual(await namesInFeed(streams, 'domaindiscovery'), ['a.example']);
});

test('names older than namesDays leave the stream of known names; without it they stay', async (t) => {
  const { names, streams, leases, clock } = nameWorld(t);
  const known = (name: string, days: number) =>
    streams.append([{ stream: namesStream, bytes: Buffer.from(`${name}\n`) }], clock.now() - days * dayMs);
  await known('old.example', 40);
  await known('recent.example', 2);
  const startOf = async () => (await streams.findState(namesStream))?.start;
  const startOfAll = await startOf();
  const run = async (namesDays: number) => {
    const health = unsavedHealth(clock);
    let isPruned = () => undefined as void;
    const pruned = new Promise<void>((resolve) => (isPruned = resolve));
    const watched = {
      append: streams.append.bind(streams),
      findProducerMark: streams.findProducerMark.bind(streams),
      pruneSegments: async (stream: string, before: number) => {
        const left = await streams.pruneSegments(stream, before);
        if (stream === (namesDays > 0 ? namesStream : hostsStream)) isPruned();
        return left;
      },
    };
    const onFailure = (error: unknown) => assert.fail(String(error));
    const running = startSources({
      sources: [],
      names,
      streams: watched,
      leases,
      clock,
      namesDays,
      health,
      onFailure,
    });
    await pruned;
    await running.close();
  };
  await run(0);
  assert.equal(await startOf(), startOfAll);
  await run(30);
  assert.equal(await startOf(), Number(startOfAll) + 'old.example\n'.length);
});
