/** New observations from passive DNS, as they are published in the feeds. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openNameIntake } from '../../../src/collect/sources/name-intake.ts';
import { createPassiveDnsSource } from '../../../src/collect/sources/passive-dns.ts';
import { publishDiscoveries } from '../../../src/pipeline/publishing/publish-discoveries.ts';
import { publishObservations } from '../../../src/pipeline/publishing/publish-observations.ts';
import { observe, type Seen } from '../../harness/fixtures/observe-rrsets.ts';
import { feedServer, namesOf, recordsOf } from './feed-fixture.ts';

const day = 86_400;
const at = Date.parse('2026-03-04T10:00:00Z') / 1000;

/** A server with sensors whose observations are published immediately. */
async function sensing(t: TestContext) {
  const server = await feedServer(t);
  return {
    ...server,
    see: async (...seen: readonly Seen[]) => {
      await observe(server.rrsets, seen, { publish: true });
      await publishObservations(server);
      await createPassiveDnsSource(server).poll(openNameIntake(server), new AbortController().signal);
      await publishDiscoveries(server);
    },
    fed: async (feed: string) => namesOf(await server.poll(feed, 'after=-432000')),
  };
}

const www = (domain: string, time_first = at) => ({ rrname: `www.${domain}`, time_first });
const listed = (domain: string) => ({
  rrname: domain,
  rrtype: 'NS',
  rdata: 'ns.example.',
  zone_time_first: at,
});

test('FEED-36 nod has an apex domain once, whichever of its names is seen first', async (t) => {
  const { see, fed, ...server } = await sensing(t);
  await see(www('example.com'), { rrname: 'example.co.uk', time_first: at });
  await see(www('example.com'), { rrname: 'mail.example.com', time_first: at + 1 });
  await see(www('example.com', at + 30 * day), { rrname: 'a.b.example.co.uk', time_first: at + 30 * day });
  // Within one batch the order is that of the store.
  assert.deepEqual(await fed('nod'), ['example.co.uk', 'example.com']);
  const [, record] = recordsOf(await server.poll('nod', 'after=-60'));
  assert.deepEqual(record, { timestamp: '2026-03-04T10:11:12Z', domain: 'example.com' });
});

test('FEED-36 a domain that was known from history or before a restart is not in nod', async (t) => {
  const server = await sensing(t);
  await server.observe([www('known.com')]);
  await server.see(www('known.com', at + 1), www('new.com'));
  const other = await feedServer(t, { directory: server.directory, clock: server.clock });
  await observe(other.rrsets, [www('new.com', at + 2), www('known.com', at + 2)], { publish: true });
  await publishObservations(other);
  assert.deepEqual(await server.fed('nod'), ['new.com']);
});

test('FEED-36 a listing in a zone file is not an observation: the domain is in nod when a sensor sees it', async (t) => {
  const { see, fed } = await sensing(t);
  await see(listed('example.com'));
  assert.deepEqual(await fed('nod'), []);
  await see(www('example.com'));
  assert.deepEqual(await fed('nod'), ['example.com']);
});

test('FEED-37 nad has a domain that is new, and one seen again after ten days of silence', async (t) => {
  const { see, fed } = await sensing(t);
  await see(www('example.com'));
  await see({ rrname: 'mail.example.com', time_first: at + 10 * day });
  assert.deepEqual(await fed('nad'), ['example.com', 'example.com']);
  assert.deepEqual(await fed('nod'), ['example.com']);
});

test('FEED-37 a domain seen within ten days is not in nad, to the second', async (t) => {
  const { see, fed } = await sensing(t);
  await see(www('example.com'));
  await see({ rrname: 'mail.example.com', time_first: at + 10 * day - 1 });
  await see(www('example.com', at + 20 * day - 2));
  assert.deepEqual(await fed('nad'), ['example.com']);
});

test('FEED-37 the days of silence are a setting', async (t) => {
  const server = await feedServer(t, { settings: { 'feeds.silenceDays': '2' } });
  for (const time_first of [at, at + 2 * day]) {
    await observe(server.rrsets, [www('example.com', time_first)], { publish: true });
    await publishObservations(server);
  }
  assert.deepEqual(namesOf(await server.poll('nad', 'after=-60')), ['example.com', 'example.com']);
});

test('FEED-38 noh has a host name once, as owner or in data, without its final dot', async (t) => {
  const { see, fed } = await sensing(t);
  await see({ rrname: 'www.example.com', rrtype: 'CNAME', rdata: 'cdn.example.net', time_first: at });
  await see({ rrname: 'cdn.example.net', time_first: at }, { rrname: 'www.example.com', time_first: at });
  await see({ rrname: 'example.com', rrtype: 'MX', rdata: '10 mail.example.com', time_first: at });
  assert.deepEqual(await fed('noh'), [
    'www.example.com',
    'cdn.example.net',
    'example.com',
    'mail.example.com',
  ]);
});

test('FEED-39 domaindiscovery has a domain when it is first listed in a zone file or seen by a sensor', async (t) => {
  const { see, fed } = await sensing(t);
  await see(listed('listed.com'), www('sensed.com'));
  await see(www('listed.com'), listed('sensed.com'));
  assert.deepEqual(await fed('domaindiscovery'), ['listed.com', 'sensed.com']);
});
