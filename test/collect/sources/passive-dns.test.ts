import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPassiveDnsSource } from '../../../src/collect/sources/passive-dns.ts';
import { publishObservations } from '../../../src/pipeline/publishing/publish-observations.ts';
import { nameWorld } from '../../harness/fixtures/name-fixture.ts';
import { openObservationFixture } from '../../harness/fixtures/observation-fixture.ts';
import { observe, type Seen } from '../../harness/fixtures/observe-rrsets.ts';

const at = Date.parse('2026-03-04T10:00:00Z') / 1000;
const { signal } = new AbortController();

test('FEED-39 a domain found by passive DNS and by another source is published once', async (t) => {
  const { directory, intake, published, streams, clock } = nameWorld(t);
  const fixture = openObservationFixture(directory);
  t.after(() => fixture.close());
  const see = async (...seen: readonly Seen[]) => {
    await observe(fixture.rrsets, seen, { publish: true });
    await publishObservations({ ...fixture, streams });
  };
  const source = createPassiveDnsSource({ streams, clock });
  await intake.ingest('ct:one', { names: ['known.com'], seenMs: clock.now() });
  await see({ rrname: 'www.known.com', time_first: at }, { rrname: 'a.b.new.com', time_first: at });
  await see({ rrname: 'listed.com', rrtype: 'NS', rdata: 'ns.example.', zone_time_first: at });
  await source.poll(intake, signal);
  await source.poll(intake, signal);
  await see({ rrname: 'www.new.com', time_first: at + 1 });
  await source.poll(intake, signal);
  await intake.ingest('ct:one', { names: ['new.com', 'listed.com'], seenMs: clock.now() });
  assert.deepEqual((await published()).toSorted(), ['known.com', 'listed.com', 'new.com']);
});
