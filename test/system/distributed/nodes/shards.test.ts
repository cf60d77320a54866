import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Problem } from '../../../../src/model/problem.ts';
import type { Condition } from '../../../../src/model/record/condition.ts';
import { openDomainStore } from '../../../../src/store/distributed/domain/domain-store.ts';
import { shardOfName } from '../../../../src/store/distributed/domain/shard-ids.ts';
import { PostgresDatabase } from '../../../../src/store/distributed/postgres/database.ts';
import type { DomainStore, RecordUpdate, SortOrder } from '../../../../src/store/domain-store.ts';
import { logStart } from '../../../../src/store/paging/log-position.ts';
import { newSchema, startPostgres } from '../../../harness/engines/postgres.ts';
import { TestClock } from '../../../harness/test-clock.ts';
import { fileScope, lastFirst } from '../../../harness/test-scope.ts';

const scope = fileScope();
const main = await startPostgres(scope);
const other = await startPostgres(scope);
const seenMs = Date.parse('2026-03-04T12:00:00Z');

const shared: Condition = { kind: 'has', attributes: ['server_type'], value: 'nginx' };
const byName: SortOrder = { by: 'domain', descending: false };

const updates = Array.from({ length: 90 }, (_, number): RecordUpdate => {
  const domain = `d${String(number).padStart(2, '0')}.example`;
  const domain_risk = { risk_score: (number * 37) % 90, components: [] };
  return {
    record: { domain, server_type: 'nginx', domain_risk },
    source: 'test',
    seenMs,
  };
});
const names = updates.map(({ record }) => record.domain);
/** No two have the same. */
const riskOf = (number: number) => (number * 37) % 90;
const namesByRisk = names.toSorted((a, b) => riskOf(names.indexOf(a)) - riskOf(names.indexOf(b)));

async function namesOf(store: DomainStore, ids: readonly number[]): Promise<readonly string[]> {
  const records = await store.getRecords(ids, []);
  return records.map((record) => (JSON.parse(record?.json ?? '{}') as { domain: string }).domain);
}

if (main && other) {
  const open = (t: TestContext) => {
    lastFirst(t);
    const connect = (server: typeof main) => {
      const database = new PostgresDatabase(newSchema(server, ['domains']));
      t.after(() => database.close());
      return database;
    };
    // The second of three shards is on a server of its own.
    const store = openDomainStore(connect(main), new TestClock(), [
      connect(main),
      connect(other),
      connect(main),
    ]);
    t.after(() => store.close());
    return store;
  };

  test('a search over three shards is sorted as over one, and counts and limits are of all of them', async (t) => {
    const store = open(t);
    await store.upsert(updates);
    assert.equal(new Set(names.map((name) => shardOfName(name, 3))).size, 3);
    for (const [order, expected] of [
      [byName, names],
      [{ by: 'domain', descending: true }, names.toReversed()],
      [{ by: 'risk_score', descending: false }, namesByRisk],
    ] as const) {
      const found = await store.search(shared, order, 90);
      assert.ok(found.total !== 'too-many');
      assert.deepEqual(await namesOf(store, found.ids), expected);
    }
    assert.deepEqual(await store.search(shared, byName, 89), { total: 'too-many' });
    assert.equal(await store.countMatches(shared), 90);
    const listed: string[] = [];
    for (let position = logStart; ; ) {
      const page = await store.listNames(position, 7);
      listed.push(...page.names);
      if (page.names.length === 0) break;
      position = page.position;
    }
    assert.deepEqual(listed.toSorted(), names);
  });

  test('while a shard is away nothing that needs it is answered in part, and what does not is answered', async (t) => {
    const store = open(t);
    await store.upsert(updates);
    const found = await store.search(shared, byName, 90);
    assert.ok(found.total !== 'too-many');
    const [there = '', away = ''] = [0, 1].map((shard) =>
      names.find((name) => shardOfName(name, 3) === shard),
    );
    await other.kill();
    try {
      const asked: Readonly<Record<string, () => Promise<unknown>>> = {
        search: () => store.search(shared, byName, 90),
        countMatches: () => store.countMatches(shared),
        sampleMatches: () => store.sampleMatches(shared, 10),
        countsOf: () => store.countsOf([{ attribute: 'server_type', value: 'nginx' }]),
        getRecords: () => store.getRecords(found.ids, []),
        findRecords: () => store.findRecords([there, away]),
        listTopValues: () => store.listTopValues(found.ids, ['server_type'], 3),
        averageRisksOf: () => store.averageRisksOf([{ attribute: 'server_type', value: 'nginx' }]),
        listUpdates: () => store.listUpdates(logStart, 10),
        countNames: () => store.countNames(),
        statistics: () => store.statistics(),
        upsert: () => store.upsert(updates),
        listChanges: () => store.listChanges(away, { limit: 10 }),
      };
      for (const [what, ask] of Object.entries(asked))
        await assert.rejects(ask, (error) => error instanceof Problem && error.code === 'try-again', what);
      const [record] = await store.findRecords([there]);
      assert.equal(record?.domain, there);
    } finally {
      await other.start();
    }
    assert.equal(await store.countMatches(shared), 90);
    assert.deepEqual(await store.verifyCounts(), []);
  });
} else test('records over several shards', { skip: 'skipped: no PostgreSQL' }, () => undefined);
