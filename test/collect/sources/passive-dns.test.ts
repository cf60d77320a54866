import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tellNews } from '../../../src/collect/news/tell-news.ts';
import { createPassiveDnsSource } from '../../../src/collect/sources/passive-dns.ts';
import { nameWorld } from '../../harness/name-world.ts';
import { observe, type Seen } from '../../harness/observe.ts';
import { openNewsWorld } from '../../harness/told.ts';

const at = Date.parse('2026-03-04T10:00:00Z') / 1000;
const { signal } = new AbortController();

test('FEED-39 a domain that passive DNS has found and that another source tells of too is told once', async (t) => {
  const { directory, intake, told, streams, clock } = nameWorld(t);
  const news = openNewsWorld(directory);
  t.after(() => news.close());
  const see = async (...seen: readonly Seen[]) => {
    await observe(news.rrsets, seen, { news: true });
    await tellNews({ ...news, streams });
  };
  const source = createPassiveDnsSource({ streams, clock });
  await intake.take('ct:one', { names: ['known.com'], seenMs: clock.now() });
  await see({ rrname: 'www.known.com', time_first: at }, { rrname: 'a.b.new.com', time_first: at });
  await see({ rrname: 'listed.com', rrtype: 'NS', rdata: 'ns.example.', zone_time_first: at });
  await source.advance(intake, signal);
  await source.advance(intake, signal);
  await see({ rrname: 'www.new.com', time_first: at + 1 });
  await source.advance(intake, signal);
  await intake.take('ct:one', { names: ['new.com', 'listed.com'], seenMs: clock.now() });
  assert.deepEqual((await told()).toSorted(), ['known.com', 'listed.com', 'new.com']);
});
