import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { nmsgJsonReader } from '../../../src/collect/rrset-formats/nmsg-json.ts';
import type { Rrset } from '../../../src/model/dns/rrset.ts';
import { publishObservations } from '../../../src/pipeline/publishing/publish-observations.ts';
import { openRrsetStore } from '../../../src/store/embedded/rrset-store.ts';
import type { NewlyObservedCounts, RrsetStore } from '../../../src/store/rrset-store.ts';
import type { StreamStore } from '../../../src/store/stream-store.ts';
import { all } from '../../conformance/rrset-store.ts';
import * as any from '../../harness/arbitraries/rrset-arbitraries.ts';
import {
  linesIn,
  observationFixture,
  openObservationFixture,
  recordAndPublish,
  recordObservations,
} from '../../harness/fixtures/observation-fixture.ts';
import { shown } from '../../harness/reference/rrset-reference.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const at = Date.parse('2026-03-04T10:00:00Z') / 1000;

function seen(owner: string, type: number, text: string, more: Partial<Rrset> = {}): Rrset {
  return {
    origin: 'sensor',
    owner: any.wire(owner),
    type,
    bailiwick: any.wire('example.com.'),
    rdata: [any.rdata(type, text)],
    firstSeconds: at,
    lastSeconds: at,
    count: 1,
    ...more,
  };
}

const publishedStreams = [
  'ch204',
  'ch211',
  'ch212',
  'ch213',
  'ch214',
  'feed-nod',
  'feed-nad',
  'feed-noh',
  'found-domains',
];

/** All published lines, without their times. */
async function published(streams: StreamStore): Promise<Record<string, string[]>> {
  const entries = publishedStreams.map(async (stream) => {
    const lines = await linesIn(streams, stream);
    return [stream, lines.map((line) => line.replace(/"(time|timestamp)":"[^"]*",/, ''))] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

const messages = async (streams: StreamStore, stream: string) =>
  (await linesIn(streams, stream)).map((line) => JSON.parse(line).message);

test('a new domain is published on the channels of domains, hostnames, changes and processed data', async (t) => {
  const world = observationFixture(t);
  await recordAndPublish(world, [
    seen('www.example.com.', 5, 'cdn.example.net.', { count: 3, lastSeconds: at + 2 }),
  ]);
  const common = {
    bailiwick: 'example.com.',
    rrname: 'www.example.com.',
    rrclass: 'IN',
    rrtype: 'CNAME',
    rdata: ['cdn.example.net.'],
  };
  const times = { time_first: '2026-03-04 10:00:00', time_last: '2026-03-04 10:00:02' };
  assert.deepEqual(await messages(world.streams, 'ch204'), [
    { type: 'INSERTION', count: 1, ...times, ...common },
    { type: 'MERGED', count: 3, ...times, ...common },
  ]);
  const time_seen = times.time_first;
  const empty = { keys: [], new_rr: [] };
  assert.deepEqual(await messages(world.streams, 'ch212'), [
    { domain: 'example.com.', time_seen, ...common, ...empty },
  ]);
  assert.deepEqual(await messages(world.streams, 'ch213'), [
    { domain: 'example.com.', time_seen, ...common, ...empty },
    { domain: 'example.net.', time_seen, ...common, ...empty },
  ]);
  assert.deepEqual(await messages(world.streams, 'ch214'), [
    {
      domain: 'example.com.',
      time_seen,
      ...common,
      keys: [],
      new_domain: true,
      new_rrname: true,
      new_rrtype: true,
      new_rr: [true],
      new_rrset: true,
    },
  ]);
  assert.deepEqual(await messages(world.streams, 'ch211'), []);
});

test('a repeated observation is processed data only; new data of a known name is a change', async (t) => {
  const world = observationFixture(t);
  await recordAndPublish(world, [seen('www.example.com.', 1, '192.0.2.1')]);
  const before = await published(world.streams);
  await recordAndPublish(world, [seen('www.example.com.', 1, '192.0.2.1', { count: 4 })]);
  const after = await published(world.streams);
  assert.deepEqual({ ...after, ch204: [] }, { ...before, ch204: [] });
  assert.deepEqual((await messages(world.streams, 'ch204')).at(-1).type, 'MERGED');
  await recordAndPublish(world, [
    seen('www.example.com.', 1, '192.0.2.1', {
      rdata: ['192.0.2.1', '192.0.2.9'].map((text) => any.rdata(1, text)),
    }),
  ]);
  const change = (await messages(world.streams, 'ch214')).at(-1);
  assert.deepEqual(
    [change.new_domain, change.new_rrname, change.new_rrtype, change.new_rr, change.new_rrset],
    [false, false, false, [false, true], true],
  );
});

test('the same records under another bailiwick are a new RRset, but not a change', async (t) => {
  const world = observationFixture(t);
  await recordAndPublish(world, [seen('www.example.com.', 1, '192.0.2.1')]);
  const { length } = await messages(world.streams, 'ch214');
  await recordAndPublish(world, [seen('www.example.com.', 1, '192.0.2.1', { bailiwick: any.wire('com.') })]);
  assert.equal((await messages(world.streams, 'ch204')).at(-2).type, 'INSERTION');
  assert.equal((await messages(world.streams, 'ch214')).length, length);
});

test('channels that are not declared get nothing; feeds are written all the same', async (t) => {
  const world = observationFixture(t);
  const { settings } = world;
  const channels = { '212': settings.batch.channels['212'] ?? assert.fail() };
  await recordObservations(world.rrsets, [seen('www.example.com.', 1, '192.0.2.1')]);
  await publishObservations({ ...world, settings: { ...settings, batch: { ...settings.batch, channels } } });
  const listed = ['ch212', 'feed-nad', 'feed-nod', 'feed-noh', 'found-domains'];
  assert.deepEqual([...(await world.streams.listStreams())].sort(), listed);
});

test('importing channel 204 into another store gives the same RRsets', async (t) => {
  const everything = {
    selection: { by: 'owner', name: any.wire('.'), span: 'below' },
    filter: { types: 'any', fences: {} },
    merged: true,
    nowSeconds: any.nowSeconds,
  } as const;
  const rows = async (store: RrsetStore) => (await all(store.scan(everything))).map(shown);
  const sensed = any.observation.map((one) => ({ ...one, origin: 'sensor' as const }));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(sensed, { maxLength: 30 }), { maxLength: 5 }), async (batches) => {
      const world = openObservationFixture(temporaryDirectory(t));
      for (const batch of batches) await recordAndPublish(world, batch);
      const elsewhere = openRrsetStore(temporaryDirectory(t), world.clock);
      const intake = await elsewhere.openIntake();
      const reader = nmsgJsonReader();
      for (const line of await linesIn(world.streams, 'ch204')) {
        const outcome = reader.line(line);
        for (const one of outcome.kind === 'observations' ? outcome.observations : []) await intake.add(one);
      }
      await intake.finish();
      assert.deepEqual(await rows(elsewhere), await rows(world.rrsets));
      await elsewhere.close();
      await world.close();
    }),
    { numRuns: 3 },
  );
});

const batches = fc.sample(fc.array(any.observation, { minLength: 20, maxLength: 60 }), {
  numRuns: 3,
  seed: 3,
});

/** The lines when the batches are published without a failure. */
async function expected(directory: string): Promise<Record<string, string[]>> {
  const world = openObservationFixture(directory);
  for (const batch of batches) await recordAndPublish(world, batch);
  const lines = await published(world.streams);
  await world.close();
  return lines;
}

test('exactly-once append: a crash at any point followed by a restart publishes every line once', async (t) => {
  const lines = await expected(temporaryDirectory(t));
  const fate = fc.oneof(
    { weight: 4, arbitrary: fc.constant('well' as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('dies before' as const, 'dies after' as const, 'cannot mark' as const),
    },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.infiniteStream(fate),
      fc.integer({ min: 2000, max: 9000 }),
      async (fates, chunkBytes) => {
        const directory = temporaryDirectory(t);
        let world = openObservationFixture(directory);
        for (const batch of batches) await recordObservations(world.rrsets, batch);
        const dying = () => {
          const { rrsets, streams } = world;
          return {
            ...world,
            streams: {
              findProducerMark: (producer: string) => streams.findProducerMark(producer),
              leaseOffset: streams.leaseOffset.bind(streams),
              releaseOffset: streams.releaseOffset.bind(streams),
              append: async (...given: Parameters<StreamStore['append']>) => {
                const next = fates.next().value;
                if (next === 'dies before') throw new Error('killed');
                const appended = await streams.append(...given);
                if (next === 'dies after') throw new Error('killed');
                return appended;
              },
            },
            rrsets: {
              findUnpublished: () => rrsets.findUnpublished(),
              scanNewlyObserved: rrsets.scanNewlyObserved.bind(rrsets),
              markPublished: async (sequence: number, counts: NewlyObservedCounts) => {
                if (fates.next().value === 'cannot mark') throw new Error('killed');
                await rrsets.markPublished(sequence, counts);
              },
            },
          };
        };
        while (await world.rrsets.findUnpublished()) {
          const [outcome] = await Promise.allSettled([publishObservations(dying(), { chunkBytes })]);
          if (outcome.status === 'fulfilled') continue;
          assert.equal(outcome.reason.message, 'killed');
          await world.rrsets.compact();
          await world.close();
          world = openObservationFixture(directory);
        }
        assert.deepEqual(await published(world.streams), lines);
        await world.close();
      },
    ),
    { numRuns: 3 },
  );
});

test('two publishers without a lease still publish every line once', async (t) => {
  const lines = await expected(temporaryDirectory(t));
  const directory = temporaryDirectory(t);
  const worlds = [openObservationFixture(directory), openObservationFixture(directory)];
  for (const batch of batches) await recordObservations(worlds[0]?.rrsets ?? assert.fail(), batch);
  const publications = worlds.map((world) => {
    const { streams } = world;
    const alone = {
      append: streams.append.bind(streams),
      findProducerMark: streams.findProducerMark.bind(streams),
      leaseOffset: async () => ({ offset: undefined }),
      releaseOffset: async () => undefined,
    };
    return publishObservations({ ...world, streams: alone }, { chunkBytes: 500 });
  });
  await Promise.all(publications);
  const [one] = worlds;
  assert.deepEqual(await published((one ?? assert.fail()).streams), lines);
  await Promise.all(worlds.map((world) => world.close()));
});

test('a second publisher waits while the first holds the lease', async (t) => {
  const directory = temporaryDirectory(t);
  const [one, other] = [openObservationFixture(directory), openObservationFixture(directory)];
  for (const batch of batches) await recordObservations(one.rrsets, batch);
  const counts = [0, 0];
  await Promise.all(
    [one, other].map((world, index) =>
      publishObservations(world, {
        chunkBytes: 500,
        onPublished: ({ lines }) => {
          counts[index] = (counts[index] ?? 0) + lines;
        },
      }),
    ),
  );
  assert.equal(await other.rrsets.findUnpublished(), undefined);
  assert.deepEqual(counts.toSorted((left, right) => left - right)[0], 0);
  await Promise.all([one.close(), other.close()]);
});

test('batches after upToSequence are left to other processes', async (t) => {
  const world = observationFixture(t);
  await recordObservations(world.rrsets, [seen('www.example.com.', 1, '192.0.2.1')]);
  const { greatestSequence } = (await world.rrsets.findUnpublished()) ?? assert.fail();
  await recordObservations(world.rrsets, [seen('www.example.org.', 1, '192.0.2.1')]);
  await publishObservations(world, { upToSequence: greatestSequence });
  assert.equal((await world.rrsets.findUnpublished())?.sequence, greatestSequence + 1);
});

test('publishing stops with its signal, and a later call publishes the rest', async (t) => {
  const world = observationFixture(t);
  for (const batch of batches) await recordObservations(world.rrsets, batch);
  const stopping = new AbortController();
  await publishObservations(world, {
    chunkBytes: 300,
    signal: stopping.signal,
    onPublished: () => stopping.abort(),
  });
  assert.ok(await world.rrsets.findUnpublished());
  await publishObservations(world);
  assert.deepEqual(await published(world.streams), await expected(temporaryDirectory(t)));
});
