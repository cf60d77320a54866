/** What every store of shared collections must do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CollectionKey, ObjectQuery, SharingStore } from '../../../src/store/detect/sharing-store.ts';
import { WatchlistFixture } from '../../harness/fixtures/watchlist-fixture.ts';
import { objectListFaults } from '../../product/export/stix-rules.ts';
import { describeDetectStore, type NewFixture, type OpenDetectStores } from './describe-detect-store.ts';
import { sharedChanges } from './sharing-changes.ts';

const nowMs = 1_772_619_072_000;
const dayMs = 86_400_000;
const author = { title: 'A list', name: 'Acme', marking: 'amber' } as const;
const everything: ObjectQuery = { after: -1, limit: 10_000, versions: 'all' };

export function sharingStoreConformance(name: string, open: OpenDetectStores): void {
  describeDetectStore(`${name} as a store of shared collections`, open, (newFixture) => {
    readers(newFixture, open);
    versions(newFixture);
    sharedChanges(newFixture);
    hotlist(open);
  });
}

const watched = ({ accountId }: WatchlistFixture): CollectionKey => ({ accountId, list: 'watched' });

async function refresh(sharing: SharingStore, key: CollectionKey, atMs = nowMs): Promise<void> {
  while (await sharing.isUnrefreshed(key)) await sharing.refreshCollection(key, author, atMs);
}

async function objectsOf(sharing: SharingStore, key: CollectionKey, query = everything) {
  const { versions: found } = await sharing.listObjects(key, query);
  return found.map(({ text }) => JSON.parse(text) as Record<string, unknown> & { type: string });
}

function readers(newFixture: NewFixture, open: OpenDetectStores): void {
  test('a collection begins with its first reading, and is listed from then on', async () => {
    const fixture = newFixture();
    const { sharing, accountId } = fixture;
    await fixture.discover('paypa1.example', [await fixture.monitor()]);
    await fixture.triage('paypa1.example', 'watched');
    assert.deepEqual(await sharing.listCollections(accountId), []);
    assert.deepEqual(await objectsOf(sharing, watched(fixture)), []);
    await refresh(sharing, watched(fixture));
    assert.deepEqual(await sharing.listCollections(accountId), [{ list: 'watched', title: 'A list' }]);
    assert.equal((await objectsOf(sharing, watched(fixture))).length, 6);
  });

  test('handles that refresh a collection at the same time add each version once', async (t) => {
    const another = open(t);
    const [one, other] = [another(), another()];
    const fixture = new WatchlistFixture(one);
    const monitor = await fixture.monitor();
    const names = Array.from({ length: 300 }, (_, index) => `paypa${index}.example`);
    const key: CollectionKey = { accountId: fixture.accountId, list: 'lookalikes-new' };
    for (const some of [names.slice(0, 250), names.slice(250)]) {
      await fixture.watchlist.addDiscoveries(some.map((name) => fixture.discovery(name, [monitor])));
      await Promise.all([one, other].map(({ sharing }) => refresh(sharing, key)));
    }
    const found = await objectsOf(other.sharing, key);
    assert.deepEqual(objectListFaults(found), []);
    assert.equal(found.length, 2 + 4 * names.length);
    const { versions: listed } = await one.sharing.listObjects(key, everything);
    const times = listed.map(({ added }) => added);
    assert.deepEqual(times, [...new Set(times)]);
  });
}

function versions(newFixture: NewFixture): void {
  test('the first version of an object and the ten latest are kept', async () => {
    const fixture = newFixture();
    const { sharing, watchlist } = fixture;
    const monitor = await fixture.monitor();
    await fixture.discover('paypa1.example', [monitor]);
    await fixture.triage('paypa1.example', 'watched');
    const { active, mxExists, nameServers, riskStatus, riskComponents } =
      await fixture.find('paypa1.example');
    const facts = { active, mxExists, nameServers, riskStatus, riskComponents };
    for (let riskScore = 1; riskScore <= 20; riskScore += 1) {
      const from = await watchlist.recordChangesCheckpoint();
      const change = { domain: 'paypa1.example', facts: { ...facts, riskScore }, changed: undefined };
      await watchlist.applyRecordChanges([change], { from, to: String(Number(from) + 1) }, nowMs);
      await refresh(sharing, watched(fixture));
    }
    const indicators = await objectsOf(sharing, watched(fixture), { ...everything, types: ['indicator'] });
    assert.deepEqual(
      indicators.map(({ confidence }) => confidence),
      [1, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20],
    );
    assert.deepEqual(objectListFaults(await objectsOf(sharing, watched(fixture))), []);
  });

  test('what an allowed name covers leaves the collection of blocked domains, and comes back when it is no longer allowed', async () => {
    const fixture = newFixture();
    const { sharing, blocklists, accountId } = fixture;
    const key: CollectionKey = { accountId, list: 'blocked' };
    await fixture.discover('login.paypa1.example', [await fixture.monitor()]);
    await fixture.escalate('login.paypa1.example', 'blocked');
    const isSaid = async () => {
      await refresh(sharing, key);
      const last = { first: false, last: true, atMs: [] };
      const found = await objectsOf(sharing, key, { ...everything, types: ['indicator'], versions: last });
      return found.some(({ revoked }) => revoked !== true);
    };
    const said = [await isSaid()];
    const by = { username: 'ann', atMs: 3000 };
    await blocklists.changeAllowed(accountId, { add: ['paypa1.example'], remove: [] }, by);
    said.push(await isSaid());
    await blocklists.changeAllowed(accountId, { add: [], remove: ['paypa1.example'] }, by);
    said.push(await isSaid());
    assert.deepEqual(said, [true, false, true]);
  });

  test('a clock that is set back makes no version older than the one before', async () => {
    const fixture = newFixture();
    const { sharing } = fixture;
    await fixture.discover('paypa1.example', [await fixture.monitor()]);
    await fixture.triage('paypa1.example', 'watched');
    await refresh(sharing, watched(fixture));
    const { versions: before } = await sharing.listObjects(watched(fixture), everything);
    await fixture.triage('paypa1.example', 'ignored');
    await refresh(sharing, watched(fixture), nowMs - dayMs);
    const after = before.at(-1)?.added ?? 0;
    const { versions: later } = await sharing.listObjects(watched(fixture), { ...everything, after });
    assert.deepEqual(
      later.map(({ type }) => type),
      ['indicator', 'relationship', 'sighting'],
    );
    assert.deepEqual(objectListFaults(await objectsOf(sharing, watched(fixture))), []);
  });
}

function hotlist(open: OpenDetectStores): void {
  const key: CollectionKey = { accountId: '', list: 'hotlist' };
  const line = (domain: string) => ({
    timestamp: '2026-03-04T10:00:00Z',
    domain,
    phishing_risk: 90,
    malware_risk: 5,
    spam_risk: 5,
    proximity_risk: 0,
    overall_risk: 90,
    expires: '2026-03-05T10:00:00Z',
  });

  test('lines of the hotlist that are read twice are added once', async (t) => {
    const { sharing } = open(t)();
    await sharing.addHotDomains([line('a.example')], { from: 0, to: 10 }, author, nowMs);
    await sharing.addHotDomains([line('a.example')], { from: 0, to: 10 }, author, nowMs);
    await sharing.addHotDomains([line('b.example')], { from: 10, to: 20 }, author, nowMs);
    assert.equal(await sharing.hotlistOffset(), 20);
    assert.deepEqual(
      (await objectsOf(sharing, key, { ...everything, types: ['indicator'] })).map(({ name }) => name),
      ['a.example', 'b.example'],
    );
  });

  test('domains that were last hot ninety days ago are no longer kept, and their author is', async (t) => {
    const { sharing } = open(t)();
    await sharing.addHotDomains([line('a.example')], { from: 0, to: 10 }, author, nowMs);
    await sharing.addHotDomains([line('b.example')], { from: 10, to: 20 }, author, nowMs + 91 * dayMs);
    const found = await objectsOf(sharing, key);
    assert.deepEqual(objectListFaults(found), []);
    assert.deepEqual(
      found.map(({ type, name = '' }) => [type, name]),
      [
        ['marking-definition', 'TLP:AMBER'],
        ['identity', 'Acme'],
        ['domain-name', ''],
        ['indicator', 'b.example'],
        ['relationship', ''],
        ['sighting', ''],
      ],
    );
  });
}
