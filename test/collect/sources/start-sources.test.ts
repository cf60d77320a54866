import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import type { NameSource } from '../../../src/collect/sources/source.ts';
import { startSources } from '../../../src/collect/sources/start-sources.ts';
import { nameWorld } from '../../harness/name-world.ts';
import { fed } from '../../harness/told.ts';

const seenMs = 1_800_000_000_000;

test('all sources are asked again and again, one that fails holds up no other, and what is new is told', async (t) => {
  const { names, streams, clock } = nameWorld(t);
  const happened = new EventEmitter();
  const failures: string[] = [];
  let rounds = 0;
  const good: NameSource = {
    name: 'good',
    everyMs: 1,
    statistics: () => ({ entries: 7, lag: 2 }),
    async advance(intake) {
      const place = Number((await intake.findPlace('good')) ?? 0);
      const batch = { names: [`n${place}.example`, 'same.example'], seenMs, place: String(place + 1) };
      await intake.take('good', batch);
      if (++rounds === 5) happened.emit('rounds');
    },
  };
  const bad: NameSource = {
    name: 'bad',
    everyMs: 1,
    advance: () => Promise.reject(new Error('the log is away')),
  };
  const onFailure = (error: unknown, source: string) => {
    failures.push(`${source}: ${(error as Error).message}`);
    if (failures.length === 3) happened.emit('failures');
  };
  const both = [once(happened, 'rounds'), once(happened, 'failures')];
  const sources = startSources({ sources: [good, bad], names, streams, clock, onFailure });
  await Promise.all(both);
  while (sources.statistics().told < 5) await new Promise((resolve) => setTimeout(resolve, 10));
  await sources.close();
  const { good: counts, bad: badCounts } = sources.bySource();
  assert.deepEqual(new Set(failures), new Set(['bad: the log is away']));
  assert.deepEqual([badCounts?.batches, badCounts?.failures], [0, failures.length]);
  assert.deepEqual([counts?.batches, counts?.['lag']], [rounds, 2]);
  assert.deepEqual([counts?.names, counts?.fresh], [2 * rounds, rounds + 1]);
  assert.equal(sources.statistics()['entries'], 7);
  assert.equal(new Set(await fed(streams, 'domaindiscovery')).size, sources.statistics().told);
});

test('a source that is at work is told to stop, and closing waits for it', async (t) => {
  const { names, streams, clock } = nameWorld(t);
  const happened = new EventEmitter();
  const begun = once(happened, 'begun');
  let isOver = false;
  const source: NameSource = {
    name: 'long',
    everyMs: 1,
    async advance(_intake, signal) {
      happened.emit('begun');
      await once(signal, 'abort');
      await new Promise((resolve) => setImmediate(resolve));
      isOver = true;
    },
  };
  const onFailure = (error: unknown) => assert.fail(String(error));
  const sources = startSources({ sources: [source], names, streams, clock, onFailure });
  await begun;
  await sources.close();
  assert.ok(isOver);
});
