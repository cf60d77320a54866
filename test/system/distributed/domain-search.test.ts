/** Searches by one value on PostgreSQL: their posting lists are decoded there, and those that come together share statements. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Condition } from '../../../src/model/record/condition.ts';
import { openDomainStore } from '../../../src/store/distributed/domain/domain-store.ts';
import { encodedIds } from '../../../src/store/domain/stored-ids.ts';
import { ValueKeys } from '../../../src/store/domain/value-keys.ts';
import type { SortOrder } from '../../../src/store/domain-store.ts';
import { newNodes } from '../../harness/engines/nodes.ts';
import { startPostgres } from '../../harness/engines/postgres.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { fileScope } from '../../harness/test-scope.ts';

const scope = fileScope();
const postgres = await startPostgres(scope);

const byName: SortOrder = { by: 'domain', descending: false };
const has = (attribute: string, value: string): Condition => ({
  kind: 'has',
  attributes: [attribute],
  value,
});

if (postgres) {
  const open = newNodes(postgres, ['domains'], scope);

  test('ids are found whose differences in the posting list have one to five bytes', async (t) => {
    const ids = [1, 2, 129, 20_000, 2_200_000, 270_000_000, 2 ** 31 - 1];
    const database = open();
    const store = openDomainStore(database, new TestClock());
    t.after(() => store.close());
    await database.writeRepeatable(async (sql) => {
      const [row] = await sql<{ salt: Buffer }[]>`select salt from record_state`;
      const key = new ValueKeys(row?.salt as Buffer).keyOf('registrar', 'Example');
      await sql`insert into record_value (key, domains, ids) values (${String(key)}::bigint, ${ids.length}, ${encodedIds(ids)})`;
      await sql`insert into record_domain (id, name) select id, 'd' || id from unnest(${ids}::int[]) as given (id)`;
    });
    const found = await store.search(
      has('registrar', 'Example'),
      { by: 'first_seen', descending: true },
      100,
    );
    assert.ok(found.total !== 'too-many');
    assert.deepEqual(
      found.ids.toSorted((left, right) => left - right),
      ids,
    );
  });

  test('searches and pages that come together are answered as one by one', async (t) => {
    const store = openDomainStore(newNodes(postgres, ['domains'], t)(), new TestClock());
    t.after(() => store.close());
    const updates = Array.from({ length: 300 }, (_, number) => ({
      record: {
        domain: `d${number}.example`,
        website_title: `Title ${number % 40}`,
        // More than are listed in the row of the value.
        server_type: number % 2 === 0 ? 'nginx' : 'apache',
      },
      source: 'test',
      seenMs: 1,
    }));
    await store.upsert(updates);
    const conditions = [
      ...Array.from({ length: 45 }, (_, number) => has('website_title', `Title ${number}`)),
      has('server_type', 'nginx'),
      has('server_type', 'none'),
    ];
    const answer = async (condition: Condition, order: SortOrder) => {
      const matches = await store.search(condition, order, 10_000);
      assert.ok(matches.total !== 'too-many');
      const records = await store.getRecords(matches.ids, ['root']);
      return { names: records.map(({ json }) => (JSON.parse(json) as { domain: string }).domain), records };
    };
    const orders: readonly SortOrder[] = [byName, { by: 'risk_score', descending: true }];
    const asked = conditions.flatMap((condition) => orders.map((order) => [condition, order] as const));
    const alone = [];
    for (const [condition, order] of asked) alone.push(await answer(condition, order));
    const together = await Promise.all(asked.map(([condition, order]) => answer(condition, order)));
    assert.deepEqual(together, alone);
    assert.equal(alone[0]?.names.length, 8);
  });

  test('a missing record is a problem of the call that wants it, and of none that came with it', async (t) => {
    const store = openDomainStore(newNodes(postgres, ['domains'], t)(), new TestClock());
    t.after(() => store.close());
    await store.upsert([{ record: { domain: 'known.example' }, source: 'test', seenMs: 1 }]);
    const [known, unknown] = await Promise.allSettled([
      store.getRecords([1], []),
      store.getRecords([1, 2], []),
    ]);
    assert.equal(known.status, 'fulfilled');
    assert.equal(unknown.status, 'rejected');
  });
} else test('searches by one value on PostgreSQL', { skip: 'skipped: no PostgreSQL' }, () => undefined);
