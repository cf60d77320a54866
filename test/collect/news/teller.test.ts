import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { startTeller } from '../../../src/collect/news/teller.ts';
import type { StreamStore } from '../../../src/store/stream-store.ts';
import { nowSeconds, rdata, wire } from '../../harness/rrset-arbitraries.ts';
import { fed, newsWorld, recordNews } from '../../harness/told.ts';

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

test('a teller tells what comes in, reports what went wrong, and tries again', async (t) => {
  const world = newsWorld(t);
  const { streams } = world;
  await recordNews(world.rrsets, [www]);
  const events = new EventTarget();
  let fails = true;
  const faulty: Pick<StreamStore, 'append' | 'findMark' | 'holdPlace' | 'releasePlace'> = {
    findMark: streams.findMark.bind(streams),
    holdPlace: streams.holdPlace.bind(streams),
    releasePlace: streams.releasePlace.bind(streams),
    append: async (...given) => {
      if (fails) throw new Error('the disk is full');
      const appended = await streams.append(...given);
      events.dispatchEvent(new Event('told'));
      return appended;
    },
  };
  const failures: unknown[] = [];
  const isTold = once(events, 'told');
  const teller = startTeller({
    ...world,
    streams: faulty,
    onFailure: (error) => {
      failures.push(error);
      fails = false;
    },
  });
  await isTold;
  await teller.close();
  assert.match(String(failures), /the disk is full/);
  assert.deepEqual(await fed(streams, 'nod'), ['example.com']);
  const { failures: counted, domains, hosts } = teller.statistics();
  assert.deepEqual([counted, domains, hosts], [1, 1, 1]);
});
