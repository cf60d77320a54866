/** Monitors, watchlists, escalations and events on PostgreSQL. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { campaignStoreConformance } from '../../conformance/detect/campaign-store.ts';
import { opsecStoreConformance } from '../../conformance/detect/opsec-store.ts';
import { sightingStoreConformance } from '../../conformance/detect/sighting-store.ts';
import { suggestionStoreConformance } from '../../conformance/detect/suggestion-store.ts';
import { escalationStoreConformance } from '../../conformance/escalation-store.ts';
import { eventStoreConformance } from '../../conformance/event-store.ts';
import { monitorStoreConformance } from '../../conformance/monitor-store.ts';
import { watchlistStoreConformance } from '../../conformance/watchlist-store.ts';
import { detectNodesOn } from '../../harness/engines/detect-nodes.ts';
import { startPostgres } from '../../harness/engines/postgres.ts';
import { facts, WatchlistFixture } from '../../harness/fixtures/watchlist-fixture.ts';
import { fileScope } from '../../harness/test-scope.ts';

const postgres = await startPostgres(fileScope());
if (postgres) {
  const opening = (t: TestContext) => {
    const open = detectNodesOn(postgres, t);
    return () => open().stores;
  };
  const adapter = 'the distributed adapter';
  monitorStoreConformance(adapter, opening);
  watchlistStoreConformance(adapter, opening);
  escalationStoreConformance(adapter, opening);
  eventStoreConformance(adapter, opening);
  sightingStoreConformance(adapter, opening);
  opsecStoreConformance(adapter, opening);
  suggestionStoreConformance(adapter, opening);
  campaignStoreConformance(adapter, opening);
  test('a record with text that PostgreSQL cannot hold is applied', async (t) => {
    const fixture = new WatchlistFixture(opening(t)());
    await fixture.discover('a.example', [await fixture.monitor()]);
    const odd = 'a\0b \ud800';
    const riskComponents = { proximity: 1, phishing: 1, malware: 1, spam: 1, evidence: [odd] };
    const shared = { registrar: odd, ip: [odd], country: [], certificate: [], analytics: [] };
    await fixture.applyChanges([
      {
        domain: 'a.example',
        facts: { ...facts, nameServers: [odd], riskScore: 7, riskComponents, shared },
        changed: { atMs: 5000, fields: ['ns'] },
      },
    ]);
    const found = await fixture.find('a.example');
    assert.deepEqual(
      [found.riskScore, found.nameServers, found.riskComponents],
      [7, ['a\ufffdb \ufffd'], riskComponents],
    );
  });
} else {
  test('the stores of Detect on PostgreSQL', (t) => t.skip('skipped: no PostgreSQL'));
}
