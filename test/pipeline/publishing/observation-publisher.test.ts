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
