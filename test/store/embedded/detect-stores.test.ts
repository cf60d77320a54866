import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openDetectStores } from '../../../src/store/embedded/detect-stores.ts';
import { decisionStoreConformance } from '../../conformance/decision-store.ts';
import { blocklistStoreConformance } from '../../conformance/detect/blocklist-store.ts';
import { campaignStoreConformance } from '../../conformance/detect/campaign-store.ts';
import { detectModelConformance } from '../../conformance/detect/detect-model.ts';
import { opsecStoreConformance } from '../../conformance/detect/opsec-store.ts';
import { sharingStoreConformance } from '../../conformance/detect/sharing-store.ts';
import { sightingStoreConformance } from '../../conformance/detect/sighting-store.ts';
import { suggestionStoreConformance } from '../../conformance/detect/suggestion-store.ts';
import { escalationStoreConformance } from '../../conformance/escalation-store.ts';
import { eventStoreConformance } from '../../conformance/event-store.ts';
import { monitorStoreConformance } from '../../conformance/monitor-store.ts';
import { triageStoreConformance } from '../../conformance/triage-store.ts';
import { watchlistStoreConformance } from '../../conformance/watchlist-store.ts';
import { WatchlistFixture } from '../../harness/fixtures/watchlist-fixture.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

function opening(t: TestContext): () => ReturnType<typeof openDetectStores> {
  const directory = temporaryDirectory(t);
  const opened: ReturnType<typeof openDetectStores>[] = [];
  t.after(async () => {
    for (const stores of opened) await stores.close();
  });
  return () => {
    const stores = openDetectStores(directory);
    opened.push(stores);
    return stores;
  };
}

const adapter = 'the embedded adapter';
monitorStoreConformance(adapter, opening);
watchlistStoreConformance(adapter, opening);
escalationStoreConformance(adapter, opening);
blocklistStoreConformance(adapter, opening);
sharingStoreConformance(adapter, opening);
sightingStoreConformance(adapter, opening);
opsecStoreConformance(adapter, opening);
suggestionStoreConformance(adapter, opening);
campaignStoreConformance(adapter, opening);
eventStoreConformance(adapter, opening);
decisionStoreConformance(adapter, opening);
triageStoreConformance(adapter, opening);
detectModelConformance(adapter, opening);

async function filled(t: TestContext, count: number) {
  const open = opening(t);
  const fixture = new WatchlistFixture(open());
  const [monitor, other] = [await fixture.monitor(), await fixture.monitor()];
  const names = Array.from({ length: count }, (_, index) => `n${index}.example`);
  await fixture.watchlist.addDiscoveries([
    ...names.map((name) => fixture.discovery(name, [monitor])),
    fixture.discovery('other.example', [other]),
  ]);
  return { open, fixture, monitor };
}

/** A sweep over many rows does not block other writers. */
for (const [what, change] of [
  [
    'deleted',
    (fixture: WatchlistFixture, id: string) => fixture.monitors.deleteMonitor(fixture.accountId, id),
  ],
  [
    'given new exclusions',
    (fixture: WatchlistFixture, id: string) =>
      fixture.monitors.updateMonitor(fixture.accountId, id, { textExclusions: ['n'] }, 9000),
  ],
] as const) {
  test(`while a monitor of many domains is ${what}, other domains can be triaged`, async (t) => {
    const { open, fixture, monitor } = await filled(t, 2500);
    const elsewhere = new WatchlistFixture(open(), fixture.accountId);
    const { id } = await elsewhere.find('other.example');
    const order: string[] = [];
    const recordingEnd = async (name: string, work: Promise<unknown>) => {
      await work;
      order.push(name);
    };
    const by = { username: 'bob', atMs: 1 };
    await Promise.all([
      recordingEnd('change', change(fixture, monitor.id)),
      recordingEnd('here', fixture.watchlist.triageDomains(fixture.accountId, [id], 'watched', by)),
    ]);
    await elsewhere.triage('other.example', 'ignored');
    assert.deepEqual(order, ['here', 'change']);
    assert.deepEqual([await fixture.names('new'), await fixture.names('ignored')], [[], ['other.example']]);
  });
}

test('a long list can be paged through to its end', async (t) => {
  const { fixture, monitor } = await filled(t, 3000);
  const seen = new Set<string>();
  for (let offset = 0; offset < 3000; offset += 500) {
    const names = await fixture.names('new', {
      monitorId: monitor.id,
      offset,
      limit: 500,
      sort: ['risk_score'],
    });
    for (const name of names) seen.add(name);
  }
  assert.equal(seen.size, 3000);
});
