import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { totalSighting } from '../../../src/model/detect/sightings.ts';
import { nameText } from '../../../src/model/dns/name.ts';
import type { Rrset } from '../../../src/model/dns/rrset.ts';
import { readPastSightings } from '../../../src/pipeline/publishing/past-sightings.ts';
import { publishObservations } from '../../../src/pipeline/publishing/publish-observations.ts';
import {
  type SightingConsumer,
  sightingConsumer,
} from '../../../src/pipeline/publishing/sighting-consumer.ts';
import type { SightingStore } from '../../../src/store/detect/sighting-store.ts';
import { openDetectStores } from '../../../src/store/embedded/detect-stores.ts';
import { openJobStore } from '../../../src/store/embedded/job-store.ts';
import type { Scan } from '../../../src/store/rrset-store.ts';
import { nowSeconds, rdata, wire } from '../../harness/arbitraries/rrset-arbitraries.ts';
import { openObservationFixture, recordObservations } from '../../harness/fixtures/observation-fixture.ts';
import { WatchlistFixture } from '../../harness/fixtures/watchlist-fixture.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const types = { A: 1, NS: 2, CNAME: 5, MX: 15 } as const;

interface Observed {
  readonly type?: keyof typeof types;
  readonly data?: string;
  readonly bailiwick?: string;
  readonly at?: number;
  readonly count?: number;
  readonly origin?: Rrset['origin'];
}

function observed(owner: string, more: Observed = {}): Rrset {
  const { type = 'A', data = '192.0.2.1', bailiwick = 'paypa1.com.', at = 0, count = 1 } = more;
  const seconds = nowSeconds + at;
  return {
    origin: more.origin ?? 'sensor',
    owner: wire(owner),
    type: types[type],
    bailiwick: wire(bailiwick),
    rdata: [rdata(types[type], data)],
    firstSeconds: seconds,
    lastSeconds: seconds,
    count,
  };
}

function openWorld(directory: string) {
  const world = openObservationFixture(directory);
  const detect = openDetectStores(directory);
  const fixture = new WatchlistFixture(detect, 'account of sightings');
  const { sightings } = detect;
  const sighted: SightingConsumer = { sightings, onSighted: async () => undefined };
  return {
    ...world,
    fixture,
    sightings,
    sighted,
    readPast: (readsPassiveDns = true) =>
      readPastSightings({ sightings, rrsets: world.rrsets, clock: world.clock, readsPassiveDns }),
    close: async () => {
      await world.close();
      await detect.close();
    },
  };
}

async function worldWith(t: TestContext, ...listed: readonly string[]) {
  const world = openWorld(temporaryDirectory(t));
  t.after(() => world.close());
  await list(world, ...listed);
  return world;
}

type World = ReturnType<typeof openWorld>;

async function list({ fixture }: World, ...names: readonly string[]) {
  const monitor = await fixture.monitor();
  for (const name of names) await fixture.discover(name, [monitor]);
}

async function see(world: World, ...rrsets: readonly Rrset[]) {
  await recordObservations(world.rrsets, rrsets);
  await publishObservations(world);
}

const sightingsOf = async ({ fixture }: World, domain: string) => (await fixture.find(domain)).sightings;

test('answers at or below a domain of a watchlist are counted as sightings of its sensor', async (t) => {
  const world = await worldWith(t, 'paypa1.com', 'quiet.com');
  await world.readPast();
  await see(
    world,
    observed('paypa1.com.', { count: 2 }),
    observed('www.paypa1.com.', { at: 5 }),
    observed('a.b.paypa1.com.', { at: -5, type: 'CNAME', data: 'x.example.' }),
    observed('other.com.', { bailiwick: 'other.com.' }),
  );
  assert.deepEqual(await sightingsOf(world, 'paypa1.com'), [
    { sensor: 'dnstap', firstSeconds: nowSeconds - 5, lastSeconds: nowSeconds + 5, count: 4 },
  ]);
  assert.deepEqual(await sightingsOf(world, 'quiet.com'), []);
});

test('delegations, name servers and zone files are no sightings', async (t) => {
  const world = await worldWith(t, 'paypa1.com');
  await world.readPast();
  await see(
    world,
    observed('paypa1.com.', { type: 'NS', data: 'ns1.paypa1.com.' }),
    observed('ns1.paypa1.com.', { bailiwick: 'com.' }),
    observed('paypa1.com.', { origin: 'zone', bailiwick: 'com.' }),
  );
  assert.deepEqual(await sightingsOf(world, 'paypa1.com'), []);
});

test('answers whose bailiwick is unknown are sightings', async (t) => {
  const world = await worldWith(t, 'paypa1.com');
  await world.readPast();
  await see(world, observed('paypa1.com.', { bailiwick: '.' }));
  assert.deepEqual(
    (await sightingsOf(world, 'paypa1.com')).map(({ count }) => count),
    [1],
  );
});

test('each site below a private suffix is a domain of its own', async (t) => {
  const world = await worldWith(t, 'paypa1.pages.dev');
  await world.readPast();
  await see(
    world,
    observed('paypa1.pages.dev.', { bailiwick: 'pages.dev.', type: 'A' }),
    observed('www.paypa1.pages.dev.', { bailiwick: 'paypa1.pages.dev.' }),
    observed('other.pages.dev.', { bailiwick: 'other.pages.dev.' }),
  );
  assert.deepEqual(
    (await sightingsOf(world, 'paypa1.pages.dev')).map(({ count }) => count),
    [2],
  );
});

test('a domain that is found later has its past from passive DNS, and what follows from its sensor', async (t) => {
  const world = await worldWith(t);
  await see(world, observed('www.paypa1.com.', { count: 3 }));
  await list(world, 'paypa1.com');
  // It is not counted before its past is read, and is part of that then.
  await see(world, observed('www.paypa1.com.', { at: 10 }));
  await world.readPast();
  await see(world, observed('www.paypa1.com.', { at: 20 }));
  assert.deepEqual(await sightingsOf(world, 'paypa1.com'), [
    { sensor: 'dnstap', firstSeconds: nowSeconds + 20, lastSeconds: nowSeconds + 20, count: 1 },
    { sensor: 'passive-dns', firstSeconds: nowSeconds, lastSeconds: nowSeconds + 10, count: 4 },
  ]);
});

test('no past is read while a batch waits to be published', async (t) => {
  const world = await worldWith(t, 'paypa1.com');
  await recordObservations(world.rrsets, [observed('paypa1.com.')]);
  await world.readPast();
  assert.deepEqual(await world.sightings.listPendingDomains('', 10), ['paypa1.com']);
});

test('a domain whose past cannot be read stays pending, and the others are counted', async (t) => {
  const world = await worldWith(t, 'a.com', 'b.com', 'c.com');
  const { rrsets, sightings, clock } = world;
  const damaged = {
    findUnpublished: () => rrsets.findUnpublished(),
    scan: (scan: Scan) => {
      if (scan.selection.by === 'owner' && nameText(scan.selection.name) === 'b.com.')
        throw new Error('damaged');
      return rrsets.scan(scan);
    },
  };
  const needs = { sightings, rrsets: damaged, clock, readsPassiveDns: true };
  await assert.rejects(readPastSightings(needs), /damaged/);
  assert.deepEqual(await sightings.listPendingDomains('', 10), ['b.com']);
});

test('without the past of passive DNS, counting begins with the watchlist', async (t) => {
  const world = await worldWith(t);
  await see(world, observed('paypa1.com.'));
  await list(world, 'paypa1.com');
  await world.readPast(false);
  assert.deepEqual(await world.sightings.listPendingDomains('', 10), []);
  assert.deepEqual(await sightingsOf(world, 'paypa1.com'), []);
});

test('an import is counted for the sensor that it was registered with, and otherwise not at all', async (t) => {
  const world = await worldWith(t, 'paypa1.com');
  await world.readPast();
  await world.sightings.registerImport('from zeek', 'zeek');
  for (const importId of ['from zeek', 'of others']) {
    const intake = await world.rrsets.openIntake({ importId, publish: true });
    await intake.add(observed('paypa1.com.'));
    await intake.finish();
  }
  await publishObservations(world);
  assert.deepEqual(
    (await sightingsOf(world, 'paypa1.com')).map(({ sensor, count }) => [sensor, count]),
    [['zeek', 1]],
  );
});

test('a sighting has the hotlist check the domain at once, and then not before its next check', async (t) => {
  const world = await worldWith(t, 'paypa1.com');
  await world.readPast();
  const { clock, sightings, settings, directory } = world;
  const jobs = openJobStore(directory, clock);
  t.after(() => jobs.close());
  const sighted = sightingConsumer({ sightings, jobs, clock, settings });
  const checked = async () => {
    const leased = await jobs.leaseJobs('hotlist', 10, clock.now(), clock.now() + 1000);
    for (const job of leased) await jobs.finishJob(job, undefined);
    return leased.map(({ subject }) => subject);
  };
  const seeAgain = async () => {
    await recordObservations(world.rrsets, [observed('paypa1.com.'), observed('other.com.')]);
    await publishObservations({ ...world, sighted });
    return checked();
  };
  assert.deepEqual(await seeAgain(), ['paypa1.com']);
  assert.deepEqual(await seeAgain(), []);
  clock.advanceSeconds(settings.risk.hotlistCheckMinutes * 60);
  assert.deepEqual(await seeAgain(), ['paypa1.com']);
});

const fate = fc.constantFrom('lives', 'lives', 'dies before', 'dies after', 'cannot mark');

test('whenever the publisher is killed, each sighting is counted once', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fate), fc.integer({ min: 0, max: 6 }), async (fates, listedAfter) => {
      const world = openWorld(temporaryDirectory(t));
      const dying = () => {
        const { rrsets, sightings } = world;
        const addSightings: SightingStore['addSightings'] = async (...given) => {
          const next = fates.next().value;
          if (next === 'dies before') throw new Error('killed');
          const isCounted = await sightings.addSightings(...given);
          if (next === 'dies after') throw new Error('killed');
          return isCounted;
        };
        return {
          ...world,
          sighted: { ...world.sighted, sightings: { ...sightings, addSightings } },
          rrsets: {
            findUnpublished: () => rrsets.findUnpublished(),
            scanNewlyObserved: rrsets.scanNewlyObserved.bind(rrsets),
            markPublished: async (...given: Parameters<typeof rrsets.markPublished>) => {
              if (fates.next().value === 'cannot mark') throw new Error('killed');
              await rrsets.markPublished(...given);
            },
          },
        };
      };
      for (let batch = 0; batch < 7; batch += 1) {
        await recordObservations(world.rrsets, [
          observed('paypa1.com.', { at: batch }),
          observed(`h${batch}.paypa1.com.`, { at: batch, count: 2 }),
        ]);
        if (batch === listedAfter) await list(world, 'paypa1.com');
        const [outcome] = await Promise.allSettled([publishObservations(dying())]);
        if (outcome.status === 'rejected') assert.equal(outcome.reason.message, 'killed');
        else await world.readPast();
      }
      await publishObservations(world);
      await world.readPast();
      assert.deepEqual(totalSighting(await sightingsOf(world, 'paypa1.com')), {
        firstSeconds: nowSeconds,
        lastSeconds: nowSeconds + 6,
        count: 21,
      });
      await world.close();
    }),
    { numRuns: 3 },
  );
});
