import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PostgresDatabase } from '../../../src/store/distributed/postgres/database.ts';
import { openRiskStore } from '../../../src/store/distributed/risk/risk-store.ts';
import { logStart } from '../../../src/store/paging/log-position.ts';
import type { BadLinks, RiskStore } from '../../../src/store/risk-store.ts';
import { address } from '../../conformance/risk-sequences.ts';
import { riskStoreConformance } from '../../conformance/risk-store.ts';
import { newNodes } from '../../harness/engines/nodes.ts';
import { type PostgresServer, startPostgres } from '../../harness/engines/postgres.ts';
import { fileScope } from '../../harness/test-scope.ts';

const server = await startPostgres(fileScope());

const domains = Array.from({ length: 12 }, (_, index) => `d${index}.example`);
const links = Array.from({ length: 6 }, (_, index) => address(`192.0.2.${index}`));

/** Different links and weights for each number, in different order. */
function someBad(number: number): readonly BadLinks[] {
  const bad = domains
    .filter((_, index) => (index + number) % 3 !== 0)
    .map((domain, index) => ({
      domain,
      weight: 1 / (1 + ((index + number) % 4)),
      links: links.filter((_link, which) => (which * 7 + index + number) % 4 === 0),
    }));
  return number % 2 === 0 ? bad : bad.toReversed();
}

/** What the counts of links must be, from the links of each domain. */
async function countsFromLinks(store: RiskStore) {
  const bad = await store.findBadLinks(domains);
  return links.map((link) => {
    const having = bad.filter((each) => each.links.some(({ value }) => value === link.value));
    return { domains: having.length, weight: Math.max(0, ...having.map(({ weight }) => weight)) };
  });
}

function severalNodes(postgres: PostgresServer): void {
  test('a consumer of verdict changes misses none, whichever of several nodes logs them', async (t) => {
    const node = newNodes(postgres, ['risks'], t);
    const [reader, ...writers] = [1, 2, 3, 4].map(() => openRiskStore(node()));
    assert.ok(reader);
    let isWritten = false;
    const written = Promise.all(
      writers.map(async (store, which) => {
        const snapshot = {
          list: `list${which}`,
          label: 'spam',
          weight: 1,
          id: 1,
          untilMs: undefined,
        } as const;
        for (let round = 0; round < 40; round += 1)
          await store.addListed(snapshot, [{ domain: `d${which}-${round}.example` }]);
        await store.completeSnapshot({ ...snapshot, id: 2 }, undefined, 5);
      }),
    ).finally(() => {
      isWritten = true;
    });
    const seen: string[] = [];
    for (let position = logStart; ; ) {
      const isLast = isWritten;
      const changes = await reader.listVerdictChanges(position, 7);
      seen.push(...changes.map(({ domain }) => domain));
      position = changes.at(-1)?.position ?? position;
      if (isLast && changes.length === 0) break;
    }
    await written;
    assert.equal(seen.length, 240, 'each domain was listed and removed');
    assert.deepEqual((await reader.statistics()).verdicts, 0);
  });

  test('counts of links stay exact while several nodes replace the links of the same domains', async (t) => {
    const node = newNodes(postgres, ['risks'], t);
    const databases = [node(), node(), node()];
    const stores = databases.map(openRiskStore);
    await Promise.all(
      stores.map(async (store, which) => {
        for (let round = 0; round < 25; round += 1) await store.replaceBadLinks(someBad(round * 3 + which));
      }),
    );
    const store = stores[0] as RiskStore;
    const expected = await countsFromLinks(store);
    assert.deepEqual(await store.countBadDomains(links.map((link) => ({ link, except: '' }))), expected);
    const [bad, used] = [await store.findBadLinks(domains), expected.filter((count) => count.domains > 0)];
    assert.deepEqual(await store.statistics(), {
      verdicts: 0,
      badDomains: bad.filter((each) => each.links.length > 0).length,
      badLinks: used.length,
    });
    const [rows] = await (databases[0] as PostgresDatabase).read(
      (sql) => sql`select count(*) as links from risk_link`,
    );
    assert.equal(rows?.['links'], used.length);
  });

  test('the same list read by two nodes at once has every domain once', async (t) => {
    const node = newNodes(postgres, ['risks'], t);
    const stores = [1, 2].map(() => openRiskStore(node()));
    const listed = domains.map((domain, index) => ({ domain, rank: index + 1 }));
    await Promise.all(
      stores.map(async (store, which) => {
        for (let id = 1; id <= 10; id += 1) {
          const snapshot = { list: 'one', label: 'malware', weight: 1, id, untilMs: undefined } as const;
          await store.addListed(snapshot, which === 0 ? listed : listed.toReversed());
          await store.completeSnapshot(snapshot, String(id), id);
        }
      }),
    );
    assert.deepEqual(await stores[0]?.listLists(), [
      { list: 'one', label: 'malware', domains: domains.length, readMs: 10, checkpoint: '10' },
    ]);
    assert.equal((await stores[0]?.listVerdictChanges(logStart, 100))?.length, domains.length);
  });
}

if (server) {
  riskStoreConformance('the distributed adapter', (t) => {
    const node = newNodes(server, ['risks'], t);
    return () => openRiskStore(node());
  });
  severalNodes(server);
} else test('the distributed risk store', { skip: 'skipped: no PostgreSQL' }, () => undefined);
