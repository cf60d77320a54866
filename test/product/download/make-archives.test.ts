import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { feedArchives } from '../../../src/model/archive-names.ts';
import { feedStream } from '../../../src/model/stream-names.ts';
import { ArchiveMaker, type ArchiveNeeds } from '../../../src/product/download/make-archives.ts';
import type { ArchiveStore } from '../../../src/store/archive-store.ts';
import { DamagedData } from '../../../src/store/damage.ts';
import { openArchiveStore } from '../../../src/store/embedded/archive-store.ts';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import type { StreamStore } from '../../../src/store/stream-store.ts';
import { flipBit } from '../../harness/damage.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

interface World {
  readonly streams: StreamStore;
  readonly archives: ArchiveStore;
  readonly clock: TestClock;
  readonly directory: string;
  readonly needs: ArchiveNeeds & { readonly streams: StreamStore };
  /** Appends a record at the given time. */
  readonly publish: (instant: string, domain: string, feed?: 'nod' | 'domainrisk') => Promise<string>;
}

function world(t: TestContext, feeds: Partial<ArchiveNeeds['settings']['feeds']> = {}): World {
  const directory = temporaryDirectory(t);
  const streams = openStreamStore(directory);
  t.after(() => streams.close());
  const [archives, clock] = [openArchiveStore(directory), new TestClock('2026-02-20T17:30:00Z')];
  const settings = { feeds: { archiveDays: 90, retentionDays: 5, ...feeds } } as ArchiveNeeds['settings'];
  return {
    streams,
    archives,
    clock,
    directory,
    needs: { streams, archives, clock, settings },
    publish: async (instant, domain, feed = 'nod') => {
      clock.set(instant);
      const line = `{"timestamp":"${instant}","domain":"${domain}"}\n`;
      await streams.append([{ stream: feedStream(feed), bytes: Buffer.from(line) }], clock.now());
      return line;
    },
  };
}

async function listed(archives: ArchiveStore, archive = 'nod'): Promise<string[]> {
  const files = await archives.listFiles({ archive, prefix: '', skip: 0, limit: 10_000 });
  return files.map(({ name }) => name.split('/')[2] as string);
}

async function gunzipped(archives: ArchiveStore, name: string): Promise<string> {
  const open = (await archives.openFile(name)) ?? assert.fail(`${name} is missing`);
  const read: Buffer[] = [];
  for await (const chunk of open.read(0, open.file.bytes)) read.push(Buffer.from(chunk));
  await open.close();
  return gunzipSync(Buffer.concat(read)).toString();
}

const hour = (day: string, from: string, to: string) =>
  `nod/${day}/nod-${day.replaceAll('-', '')}.${from}-${to}.json.gz`;

test('DL-07 a completed hour becomes a file with its feed lines, and the current hour does not', async (t) => {
  const { archives, clock, needs, publish } = world(t);
  await publish('2026-02-20T16:59:59Z', 'before.example');
  const lines = [
    await publish('2026-02-20T17:00:00Z', 'first.example'),
    await publish('2026-02-20T17:20:00Z', 'second.example'),
    await publish('2026-02-20T17:59:59Z', 'third.example'),
  ];
  await publish('2026-02-20T18:00:00Z', 'after.example');
  clock.set('2026-02-20T18:01:12Z');
  await new ArchiveMaker(needs).run();
  const name = hour('2026-02-20', '1700', '1800');
  assert.equal(await gunzipped(archives, name), lines.join(''));
  assert.equal((await archives.findFile(name))?.modifiedMs, clock.now());
  assert.deepEqual(await listed(archives), [
    'nod-20260220.1700-1800.json.gz',
    'nod-20260220.1600-1700.json.gz',
  ]);
});

test('an hour is closed a minute late, for appends still in progress', async (t) => {
  const { archives, clock, needs, publish } = world(t);
  await publish('2026-02-20T17:10:00Z', 'a.example');
  const maker = new ArchiveMaker(needs);
  clock.set('2026-02-20T18:00:59Z');
  await maker.run();
  assert.deepEqual(await listed(archives), []);
  clock.set('2026-02-20T18:01:00Z');
  await maker.run();
  assert.deepEqual(await listed(archives), ['nod-20260220.1700-1800.json.gz']);
});

test('DL-06 every hour from the first record of any feed on has a file, empty for quiet hours and feeds', async (t) => {
  const { archives, clock, needs, publish } = world(t);
  await publish('2026-02-20T21:10:00Z', 'a.example');
  clock.set('2026-02-21T01:02:00Z');
  await new ArchiveMaker(needs).run();
  assert.deepEqual(await listed(archives), [
    'nod-20260221.0000-0100.json.gz',
    'nod-20260220.2300-2400.json.gz',
    'nod-20260220.2200-2300.json.gz',
    'nod-20260220.2100-2200.json.gz',
  ]);
  assert.equal(await gunzipped(archives, hour('2026-02-20', '2300', '2400')), '');
  for (const { name, spanMinutes } of feedArchives) {
    const files = await listed(archives, name);
    assert.equal(files.length, spanMinutes === 60 ? 4 : 1, name);
  }
  const quiet = 'noh/2026-02-20/noh-20260220.2200-2300.json.gz';
  assert.equal(await gunzipped(archives, quiet), '');
});

test('DL-06 before there is any record, archives begin with the hour in which the server started', async (t) => {
  const { archives, clock, needs, publish } = world(t);
  const maker = new ArchiveMaker(needs);
  await maker.run();
  const before = await listed(archives);
  clock.set('2026-02-20T19:02:00Z');
  await maker.run();
  const line = await publish('2026-02-20T19:10:00Z', 'a.example');
  clock.set('2026-02-20T20:02:00Z');
  await new ArchiveMaker(needs).run();
  assert.deepEqual(
    [before, await listed(archives)],
    [
      [],
      ['nod-20260220.1900-2000.json.gz', 'nod-20260220.1800-1900.json.gz', 'nod-20260220.1700-1800.json.gz'],
    ],
  );
  assert.equal(await gunzipped(archives, hour('2026-02-20', '1900', '2000')), line);
  assert.deepEqual((await listed(archives, 'iprisk')).length, 3);
});

test('DL-03 a completed day becomes a file of the daily archive, with the same lines', async (t) => {
  const { archives, clock, needs, publish } = world(t);
  const lines = [
    await publish('2026-02-20T00:00:00Z', 'a.example', 'domainrisk'),
    await publish('2026-02-20T23:59:59Z', 'b.example', 'domainrisk'),
  ];
  await publish('2026-02-21T00:00:00Z', 'c.example', 'domainrisk');
  const maker = new ArchiveMaker(needs);
  await maker.run();
  assert.deepEqual(await listed(archives, 'daily_domain_risk'), []);
  clock.set('2026-02-21T00:01:00Z');
  await maker.run();
  assert.deepEqual(await listed(archives, 'daily_domain_risk'), ['daily_domain_risk-20260220.json.gz']);
  const name = 'daily_domain_risk/2026-02-20/daily_domain_risk-20260220.json.gz';
  assert.equal(await gunzipped(archives, name), lines.join(''));
  assert.equal((await listed(archives, 'domainrisk')).length, 24);
});

test('an archive run interrupted anywhere and resumed produces the same files as an uninterrupted one', async (t) => {
  const { archives, clock, needs, publish, streams } = world(t);
  const published = new Map<string, string>();
  for (let number = 0; number < 30; number += 1) {
    const instant = new Date(Date.UTC(2026, 1, 20, 10, number * 13)).toISOString().replace('.000', '');
    const line = await publish(instant, `domain${number}.example`);
    published.set(instant.slice(0, 13), (published.get(instant.slice(0, 13)) ?? '') + line);
  }
  clock.set('2026-02-20T17:05:00Z');
  const breaks = fc.sample(fc.integer({ min: 0, max: 6 }), 25);
  for (const steps of breaks) {
    let left = steps;
    const breakOff = () => {
      left -= 1;
      if (left < 0) throw new Error('killed');
    };
    const failing: ArchiveNeeds['streams'] = {
      findState: (stream) => (breakOff(), streams.findState(stream)),
      offsetAt: (stream, minute) => (breakOff(), streams.offsetAt(stream, minute)),
      openRange: (stream, from, to) => (breakOff(), streams.openRange(stream, from, to)),
    };
    await new ArchiveMaker({ ...needs, streams: failing }).run().catch(() => undefined);
  }
  await new ArchiveMaker(needs).run();
  assert.equal((await listed(archives)).length, 7);
  for (const [at, lines] of published) {
    if (at === '2026-02-20T17') continue;
    const [day, from] = at.split('T') as [string, string];
    const to = String(Number(from) + 1).padStart(2, '0');
    assert.equal(await gunzipped(archives, hour(day, `${from}00`, `${to}00`)), lines);
  }
});

test('two processes that archive concurrently create each file once', async (t) => {
  const { archives, clock, needs, publish } = world(t);
  const line = await publish('2026-02-20T10:10:00Z', 'a.example');
  clock.set('2026-02-20T15:05:00Z');
  await Promise.all([new ArchiveMaker(needs).run(), new ArchiveMaker(needs).run()]);
  assert.equal((await listed(archives)).length, 5);
  assert.equal(await gunzipped(archives, hour('2026-02-20', '1000', '1100')), line);
});

test('a run with nothing to do reads neither streams nor archives', async (t) => {
  const { clock, needs, publish } = world(t);
  for (const { feed } of feedArchives) await publish('2026-02-20T10:10:00Z', 'a.example', feed as 'nod');
  clock.set('2026-02-20T15:05:00Z');
  const maker = new ArchiveMaker(needs);
  await maker.run();
  const accessed: string[] = [];
  const watched = <Store extends object>(store: Store) =>
    new Proxy(store, {
      get: (target, name, receiver) => (accessed.push(String(name)), Reflect.get(target, name, receiver)),
    });
  Object.assign(needs, { streams: watched(needs.streams), archives: watched(needs.archives) });
  await maker.run();
  assert.deepEqual(accessed, []);
});

test('DL-11 files are kept for 90 days after their day and then deleted', async (t) => {
  const { archives, clock, needs, publish } = world(t, { retentionDays: 1 });
  await publish('2026-02-20T10:10:00Z', 'a.example');
  clock.set('2026-02-20T12:30:00Z');
  await new ArchiveMaker(needs).run();
  await needs.streams.pruneSegments('feed-nod', Math.floor(clock.now() / 60_000));
  clock.set('2026-05-21T23:59:00Z');
  const maker = new ArchiveMaker(needs);
  await maker.run();
  const first = 'nod-20260220.1000-1100.json.gz';
  assert.equal((await listed(archives)).at(-1), first);
  clock.set('2026-05-22T00:00:00Z');
  await maker.run();
  const left = await listed(archives);
  assert.ok(left.length > 0);
  assert.deepEqual(
    left.filter((name) => name.startsWith('nod-20260220')),
    [],
  );
});

test('an archive file that expires before its feed’s records is not recreated', async (t) => {
  const { archives, clock, needs, publish } = world(t, { archiveDays: 1, retentionDays: 5 });
  await publish('2026-02-20T10:10:00Z', 'a.example');
  await publish('2026-02-23T10:10:00Z', 'b.example');
  clock.set('2026-02-23T12:30:00Z');
  for (let runs = 0; runs < 2; runs += 1) {
    await new ArchiveMaker(needs).run();
    assert.equal((await listed(archives)).at(-1), 'nod-20260222.0000-0100.json.gz');
  }
});

test('after long downtime the remaining lines are archived', async (t) => {
  const { archives, clock, needs, publish } = world(t, { retentionDays: 1 });
  await publish('2026-02-20T10:10:00Z', 'a.example');
  clock.set('2026-02-20T11:30:00Z');
  await new ArchiveMaker(needs).run();
  const line = await publish('2026-02-20T11:40:00Z', 'left-over.example');
  clock.set('2026-02-22T11:30:00Z');
  await new ArchiveMaker(needs).run();
  assert.equal(await gunzipped(archives, hour('2026-02-20', '1100', '1200')), line);
});

test('after downtime longer than the feed’s retention, the lost days have no files', async (t) => {
  const { archives, clock, needs, publish } = world(t, { retentionDays: 1 });
  await publish('2026-02-20T10:10:00Z', 'a.example');
  clock.set('2026-02-20T11:30:00Z');
  await new ArchiveMaker(needs).run();
  clock.set('2026-03-20T11:30:00Z');
  await needs.streams.pruneSegments('feed-nod', Math.floor(clock.now() / 60_000));
  await new ArchiveMaker(needs).run();
  const names = await listed(archives);
  assert.deepEqual([names.length, names.at(-2)], [25, 'nod-20260319.1100-1200.json.gz']);
});

test('closing aborts the current run, and the next run resumes', async (t) => {
  const { archives, clock, needs, publish } = world(t);
  const line = await publish('2026-02-20T10:10:00Z', 'a.example');
  clock.set('2026-02-20T15:05:00Z');
  const maker = new ArchiveMaker(needs);
  const running = maker.run().catch(() => undefined);
  await maker.close();
  await running;
  assert.ok((await listed(archives)).length < 5);
  await new ArchiveMaker(needs).run();
  assert.equal((await listed(archives)).length, 5);
  assert.equal(await gunzipped(archives, hour('2026-02-20', '1000', '1100')), line);
});

test('no archive is made of damaged records, those of other feeds are, and a restored segment is archived', async (t) => {
  const { archives, clock, needs, directory, publish } = world(t);
  const line = await publish('2026-02-20T17:20:00Z', 'first.example');
  await publish('2026-02-20T17:20:00Z', 'other.example', 'domainrisk');
  clock.set('2026-02-20T18:01:12Z');
  const segment = join(directory, 'streams/feed-nod/20260220.1720.ndjson');
  flipBit(segment, 40);
  const maker = new ArchiveMaker(needs);
  await assert.rejects(maker.run(), DamagedData);
  assert.deepEqual(await listed(archives), []);
  assert.deepEqual(await listed(archives, 'domainrisk'), ['domainrisk-20260220.1700-1800.json.gz']);
  flipBit(segment, 40);
  await maker.run();
  assert.equal(await gunzipped(archives, hour('2026-02-20', '1700', '1800')), line);
});
