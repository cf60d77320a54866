/** What every store of sightings must do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sensor } from '../../../src/model/detect/sightings.ts';
import { WatchlistFixture } from '../../harness/fixtures/watchlist-fixture.ts';
import { describeDetectStore, type NewFixture, type OpenDetectStores } from './describe-detect-store.ts';

const seen = { firstSeconds: 100, lastSeconds: 200, count: 3 };

export function sightingStoreConformance(name: string, open: OpenDetectStores): void {
  describeDetectStore(`${name} as a store of sightings`, open, (newFixture) => {
    counting(newFixture, open);
    lists(newFixture);
    clients(newFixture);
    events(newFixture);
  });
}

/** Domains of other tests are not in the way: each has its own name. */
let names = 0;
const newName = () => `seen${++names}.example`;

async function countFromNow({ sightings }: WatchlistFixture, domain: string, past?: typeof seen) {
  assert.equal(await sightings.addPast([{ domain, past }], await sightings.countedBatch()), true);
}

async function see(
  { sightings }: WatchlistFixture,
  domain: string,
  more: { sensor?: Sensor; atSeconds?: number; nowMs?: number } = {},
) {
  const { sensor = 'dnstap', atSeconds = 300, nowMs = 400_000 } = more;
  const from = await sightings.countedBatch();
  const sighting = { domain, firstSeconds: atSeconds, lastSeconds: atSeconds, count: 1 };
  assert.equal(
    await sightings.addSightings({ sensor, sightings: [sighting], from, to: from + 1 }, nowMs),
    true,
  );
}

async function discovered(newFixture: NewFixture) {
  const fixture = newFixture();
  const domain = newName();
  await fixture.discover(domain, [await fixture.monitor()]);
  return { fixture, domain };
}

function counting(newFixture: NewFixture, open: OpenDetectStores): void {
  test('a domain is pending from its discovery until its past is read', async (t) => {
    const fixture = new WatchlistFixture(open(t)());
    const { sightings } = fixture;
    await fixture.discover('a.example', [await fixture.monitor()]);
    assert.deepEqual(await sightings.listPendingDomains('', 10), ['a.example']);
    assert.deepEqual(await sightings.findCountedDomains(['a.example', 'b.example']), new Set());
    await see(fixture, 'a.example');
    assert.deepEqual((await fixture.find('a.example')).sightings, []);
    await countFromNow(fixture, 'a.example', seen);
    assert.deepEqual(await sightings.listPendingDomains('', 10), []);
    assert.deepEqual(await sightings.findCountedDomains(['a.example', 'b.example']), new Set(['a.example']));
    assert.deepEqual((await fixture.find('a.example')).sightings, [{ sensor: 'passive-dns', ...seen }]);
  });

  test('sightings of a sensor merge, and those of several sensors are kept apart', async () => {
    const { fixture, domain } = await discovered(newFixture);
    await countFromNow(fixture, domain);
    await see(fixture, domain, { atSeconds: 300 });
    await see(fixture, domain, { atSeconds: 250 });
    await see(fixture, domain, { sensor: 'zeek', atSeconds: 500 });
    assert.deepEqual((await fixture.find(domain)).sightings, [
      { sensor: 'dnstap', firstSeconds: 250, lastSeconds: 300, count: 2 },
      { sensor: 'zeek', firstSeconds: 500, lastSeconds: 500, count: 1 },
    ]);
  });

  test('a batch that was counted is not counted again, by this handle or by another', async (t) => {
    const another = open(t);
    const [one, other] = [another(), another()];
    const fixture = new WatchlistFixture(one);
    await fixture.discover('a.example', [await fixture.monitor()]);
    await countFromNow(fixture, 'a.example');
    const batch = {
      sensor: 'dnstap',
      sightings: [{ domain: 'a.example', ...seen }],
      from: 0,
      to: 7,
    } as const;
    const counted = await Promise.all(
      [one, other, one, other].map(({ sightings }) => sightings.addSightings(batch, 1000)),
    );
    assert.deepEqual(counted.filter(Boolean), [true]);
    assert.equal(await other.sightings.countedBatch(), 7);
    assert.deepEqual((await fixture.find('a.example')).sightings, [{ sensor: 'dnstap', ...seen }]);
  });

  test('a past that was read before the last batch is refused', async () => {
    const { fixture, domain } = await discovered(newFixture);
    const before = await fixture.sightings.countedBatch();
    await see(fixture, domain);
    assert.equal(await fixture.sightings.addPast([{ domain, past: seen }], before), false);
    await countFromNow(fixture, domain);
    assert.deepEqual((await fixture.find(domain)).sightings, []);
  });

  test('a past that is read twice is counted once', async () => {
    const { fixture, domain } = await discovered(newFixture);
    await countFromNow(fixture, domain, seen);
    await see(fixture, domain);
    await countFromNow(fixture, domain, seen);
    assert.deepEqual(
      (await fixture.find(domain)).sightings.map(({ sensor, count }) => [sensor, count]),
      [
        ['dnstap', 1],
        ['passive-dns', 3],
      ],
    );
  });

  test('a domain that leaves all watchlists loses its sightings, and is pending when it comes back', async (t) => {
    const stores = open(t)();
    const [fixture, other] = [new WatchlistFixture(stores), new WatchlistFixture(stores)];
    const [monitor, second] = [await fixture.monitor(), await other.monitor()];
    await fixture.discover('a.example', [monitor]);
    await other.discover('a.example', [second]);
    await countFromNow(fixture, 'a.example', seen);
    const [later, muchLater] = [10 * 86_400_000, 20 * 86_400_000];
    const leave = async ({ monitors, watchlist, accountId }: WatchlistFixture, id: string) => {
      await monitors.deleteMonitor(accountId, id);
      await watchlist.pruneUnmatchedDomains(later);
      await watchlist.pruneUnmatchedDomains(muchLater);
    };
    await leave(fixture, monitor.id);
    assert.deepEqual((await other.find('a.example')).sightings, [{ sensor: 'passive-dns', ...seen }]);
    await leave(other, second.id);
    assert.deepEqual(await stores.sightings.findCountedDomains(['a.example']), new Set());
    await fixture.discover('a.example', [await fixture.monitor()]);
    assert.deepEqual(await stores.sightings.listPendingDomains('', 10), ['a.example']);
    assert.deepEqual((await fixture.find('a.example')).sightings, []);
  });

  test('the sensor of an import is the first that was registered for it', async () => {
    const { sightings } = newFixture();
    assert.equal(await sightings.findSensorOfImport('import 1'), undefined);
    await sightings.registerImport('import 1', 'zeek');
    await sightings.registerImport('import 1', 'eve');
    assert.equal(await sightings.findSensorOfImport('import 1'), 'zeek');
  });
}

function clients(newFixture: NewFixture): void {
  const clientsOf = async (fixture: WatchlistFixture, domain: string) =>
    (await fixture.find(domain)).sightings.map((one) => one.clients);

  test('of distinct clients the greatest number of the latest day is kept', async () => {
    const { fixture, domain } = await discovered(newFixture);
    await countFromNow(fixture, domain);
    await see(fixture, domain);
    assert.deepEqual(await clientsOf(fixture, domain), [undefined]);
    const record = (day: string, count: number) =>
      fixture.sightings.recordClients([{ domain, day, clients: count }]);
    assert.deepEqual(await record('2026-03-04', 7), new Set([domain]));
    await record('2026-03-04', 5);
    await record('2026-03-03', 90);
    assert.deepEqual(await clientsOf(fixture, domain), [{ day: '2026-03-04', count: 7 }]);
    await record('2026-03-05', 2);
    assert.deepEqual(await clientsOf(fixture, domain), [{ day: '2026-03-05', count: 2 }]);
  });

  test('clients of a domain without a sighting by dnstap are not recorded', async () => {
    const { fixture, domain } = await discovered(newFixture);
    await countFromNow(fixture, domain, seen);
    const counts = [{ domain, day: '2026-03-04', clients: 7 }];
    assert.deepEqual(await fixture.sightings.recordClients(counts), new Set());
    assert.deepEqual(await fixture.sightings.recordClients([]), new Set());
    assert.deepEqual(await clientsOf(fixture, domain), [undefined]);
  });

  test('the numbers of clients are forgotten, and the sightings stay', async () => {
    const { fixture, domain } = await discovered(newFixture);
    await countFromNow(fixture, domain);
    await see(fixture, domain);
    await fixture.sightings.recordClients([{ domain, day: '2026-03-04', clients: 7 }]);
    await fixture.sightings.forgetClients();
    assert.deepEqual(await clientsOf(fixture, domain), [undefined]);
  });
}

function lists(newFixture: NewFixture): void {
  test('lists are filtered by whether our own sensors saw the domain resolved', async () => {
    const { fixture, domain } = await discovered(newFixture);
    const quiet = newName();
    await fixture.discover(quiet, [await fixture.monitor()]);
    await countFromNow(fixture, domain, seen);
    assert.deepEqual(await fixture.names('new', { resolvedByUs: true }), [domain]);
    assert.deepEqual(await fixture.names('new', { resolvedByUs: false }), [quiet]);
    const page = await fixture.triageList({ list: 'new', resolvedByUs: true }, { query: 'resolved' });
    assert.deepEqual(
      page.domains.map((each) => [each.domain, each.sightings]),
      [[domain, [{ sensor: 'passive-dns', ...seen }]]],
    );
    const others = await fixture.triageList({ list: 'new', resolvedByUs: false }, { query: 'quiet' });
    assert.deepEqual(
      others.domains.map((each) => each.domain),
      [quiet],
    );
  });
}

function events(newFixture: NewFixture): void {
  const resolved = async ({ events: log, accountId }: WatchlistFixture) =>
    log.listEvents(accountId, { afterId: 0, limit: 100, kinds: ['resolved'] });

  test('the first sighting of an ignored domain after the decision is an event, and later ones are none', async () => {
    const { fixture, domain } = await discovered(newFixture);
    await countFromNow(fixture, domain);
    await fixture.triage(domain, 'ignored', { username: 'bob', atMs: 250_000 });
    await see(fixture, domain, { atSeconds: 200, nowMs: 260_000 });
    assert.deepEqual(await resolved(fixture), []);
    await see(fixture, domain, { atSeconds: 300, nowMs: 400_000 });
    await see(fixture, domain, { atSeconds: 301, nowMs: 401_000 });
    const [event, ...more] = await resolved(fixture);
    assert.deepEqual(more, []);
    assert.deepEqual([event?.kind, event?.domain, event?.atMs], ['resolved', domain, 400_000]);
    assert.deepEqual(event?.detail, {
      state: 'ignored',
      sensor: 'dnstap',
      count: 1,
      first: '1970-01-01T00:05:00Z',
      last: '1970-01-01T00:05:00Z',
    });
    assert.equal(event?.monitorIds.length, 1);
  });

  test('a new domain that is resolved, then ignored and resolved again, has two events', async () => {
    const { fixture, domain } = await discovered(newFixture);
    await countFromNow(fixture, domain, seen);
    assert.deepEqual(await resolved(fixture), []);
    await see(fixture, domain, { atSeconds: 300, nowMs: 400_000 });
    await fixture.triage(domain, 'ignored', { username: 'bob', atMs: 500_000 });
    await see(fixture, domain, { atSeconds: 600, nowMs: 700_000 });
    assert.deepEqual(
      (await resolved(fixture)).map(({ detail }) => detail['state']),
      ['new', 'ignored'],
    );
    assert.ok(!(await fixture.listEvents()).some((text) => text.startsWith('resolved')));
  });
}
