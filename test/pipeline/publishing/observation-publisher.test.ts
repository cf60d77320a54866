import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { startObservationPublisher } from '../../../src/pipeline/publishing/observation-publisher.ts';
import type { StreamStore } from '../../../src/store/stream-store.ts';
import { nowSeconds, rdata, wire } from '../../harness/arbitraries/rrset-arbitraries.ts';
import {
  namesInFeed,
  observationFixture,
  recordObservations,
} from '../../harness/fixtures/observation-fixture.ts';

const www = {
  origin: 'sensor',
  owner: wire('www.example.com.'),
  type: 1,
  bailiwick: wire('example.com.'),
  rdata: [rdata(1, '192.0.2.1')],
  firstSeconds: nowSeconds,
  lastSeconds: nowSeconds,
  count: 1,
} as const;

test('the publisher publishes new observations, and reports and retries errors', async (t) => {
  const world = observationFixture(t);
  const { streams } = world;
  await recordObservations(world.rrsets, [www]);
  const events = new EventTarget();
  let fails = true;
  const faulty: Pick<StreamStore, 'append' | 'findProducerMark' | 'leaseOffset' | 'releaseOffset'> = {
    findProducerMark: streams.findProducerMark.bind(streams),
    leaseOffset: streams.leaseOffset.bind(streams),
    releaseOffset: streams.releaseOffset.bind(streams),
    append: async (...given) => {
      if (fails) throw new Error('the disk is full');
      const appended = await streams.append(...given);
      events.dispatchEvent(new Event('published'));
      return appended;
    },
  };
  const failures: unknown[] = [];
  const isPublished = once(events, 'published');
  const publisher = startObservationPublisher({
    ...world,
    streams: faulty,
    onFailure: (error) => {
      failures.push(error);
      fails = false;
    },
  });
  await isPublished;
  await publisher.close();
  assert.match(String(failures), /the disk is full/);
  assert.deepEqual(await namesInFeed(streams, 'nod'), ['example.com']);
  const { failures: counted, domains, hosts } = publisher.statistics();
  assert.deepEqual([counted, domains, hosts], [1, 1, 1]);
});

test('a publisher is behind while it has published for over five seconds and there is still more', async (t) => {
  const world = observationFixture(t);
  const { streams } = world;
  await recordObservations(world.rrsets, [www]);
  const appends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const begun = appends.map(() => Promise.withResolvers<void>());
  let at = 0;
  const slow: Pick<StreamStore, 'append' | 'findProducerMark' | 'leaseOffset' | 'releaseOffset'> = {
    findProducerMark: streams.findProducerMark.bind(streams),
    leaseOffset: streams.leaseOffset.bind(streams),
    releaseOffset: streams.releaseOffset.bind(streams),
    append: async (...given) => {
      const number = at++;
      begun[number]?.resolve();
      await appends[number]?.promise;
      return streams.append(...given);
    },
  };
  const publisher = startObservationPublisher({
    ...world,
    streams: slow,
    onFailure: (error) => assert.fail(String(error)),
  });
  t.after(() => publisher.close());
  await begun[0]?.promise;
  await recordObservations(world.rrsets, [{ ...www, owner: wire('mail.example.com.') }]);
  await recordObservations(world.rrsets, [{ ...www, owner: wire('ftp.example.com.') }]);
  appends[0]?.resolve();
  await begun[1]?.promise;
  assert.equal(publisher.isBehind(), false, 'it has just begun');
  assert.equal(publisher.statistics().waiting, 2);
  const now = performance.now.bind(performance);
  t.mock.method(performance, 'now', () => now() + 6000);
  appends[1]?.resolve();
  while (publisher.statistics().rrsets < 2) await new Promise(setImmediate);
  assert.equal(publisher.isBehind(), true);
  while (publisher.isBehind()) await new Promise(setImmediate);
  assert.equal(publisher.statistics().rrsets, 3, 'all is published');
  assert.equal(publisher.statistics().waiting, 0);
});
