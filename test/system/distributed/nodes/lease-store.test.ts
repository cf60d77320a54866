import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLeaseStore } from '../../../../src/store/distributed/lease/lease-store.ts';
import { PostgresDatabase } from '../../../../src/store/distributed/postgres/database.ts';
import { leaseStoreConformance } from '../../../conformance/lease-store.ts';
import { newSchema, startPostgres } from '../../../harness/engines/postgres.ts';
import { fileScope, lastFirst, type TestScope } from '../../../harness/test-scope.ts';

const postgres = await startPostgres(fileScope());

const open = (t: TestScope) => {
  lastFirst(t);
  if (!postgres) throw new Error('no PostgreSQL');
  const options = newSchema(postgres, ['leases']);
  return () => {
    const database = new PostgresDatabase(options);
    t.after(() => database.close());
    return openLeaseStore(database);
  };
};

if (postgres) leaseStoreConformance('the distributed adapter', open);
else test('leases on PostgreSQL', (t) => t.skip('skipped: no PostgreSQL'));

test('slots of a host are a pause apart over all workers, and those of other hosts come at once', async (t) => {
  if (!postgres) return t.skip('skipped: no PostgreSQL');
  const handle = open(t);
  const stores = [handle(), handle()];
  const waits = await Promise.all(
    Array.from({ length: 6 }, async (_, number) =>
      stores[number % 2]?.reserveSlot?.('whois.example', 60_000),
    ),
  );
  const minutes = waits.map((waitMs) => Math.round((waitMs ?? 0) / 60_000)).sort((a, b) => a - b);
  assert.deepEqual(minutes, [0, 1, 2, 3, 4, 5]);
  assert.equal(await stores[0]?.reserveSlot?.('another.example', 60_000), 0);
});
