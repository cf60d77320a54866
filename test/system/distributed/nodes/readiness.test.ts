import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Clock } from '../../../../src/model/clock.ts';
import { ClickHouseClient } from '../../../../src/store/distributed/clickhouse/clickhouse-client.ts';
import { PostgresDatabase } from '../../../../src/store/distributed/postgres/database.ts';
import { migrate } from '../../../../src/store/distributed/postgres/migrations.ts';
import { checkPostgres } from '../../../../src/store/distributed/postgres/postgres-checks.ts';
import { schemaFault } from '../../../../src/store/distributed/postgres/schema-fault.ts';
import { openObjects } from '../../../../src/store/distributed/s3/open-objects.ts';
import { type FaultNeeds, storeFaults } from '../../../../src/store/distributed/store-faults.ts';
import { openStreamStore } from '../../../../src/store/distributed/stream/stream-store.ts';
import { startPostgres } from '../../../harness/engines/postgres.ts';
import { unusedS3 } from '../../../harness/engines/unused-s3.ts';
import { fileScope, lastFirst } from '../../../harness/test-scope.ts';

const server = await startPostgres(fileScope());
const clock: Clock = { now: Date.now };

if (server) {
  const database = new PostgresDatabase({ url: server.url, schema: 'ready', poolMax: 4 });
  fileScope().after(() => database.close());
  const answering = { ...openObjects(database, unusedS3), ask: async () => undefined };

  const faultsOf = async (change: Partial<FaultNeeds> = {}) => {
    const needs = { database, shards: [], objects: answering, clock, unsealedBytesMax: 1_000_000 };
    const faults = await storeFaults({ ...needs, ...change })();
    return faults.map(({ part, isPartial }) => [part, isPartial]);
  };

  test('tables that lack migrations make a node not ready, and then it is', async () => {
    assert.deepEqual(await faultsOf(), [['schema', false]]);
    assert.match((await schemaFault(database)) ?? '', /lacks \d+ migrations.*nameglass store migrate/);
    await migrate(database);
    assert.deepEqual(await faultsOf(), []);
  });

  test('a clock that differs by more than two seconds makes a node not ready', async () => {
    for (const [offMs, expected] of [
      [1000, []],
      [-1000, []],
      [2500, [['clock', false]]],
      [-2500, [['clock', false]]],
    ] as const)
      assert.deepEqual(await faultsOf({ clock: { now: () => Date.now() + offMs } }), expected);
  });

  test('tables of a later version do no harm until it has removed what this one needs', async () => {
    await database.read((sql) => sql`insert into schema_migration (part, number) values ('jobs', 900)`);
    assert.equal(await schemaFault(database), undefined);
    await database.read(
      (sql) => sql`insert into schema_migration (part, number, is_removal) values ('jobs', 901, true)`,
    );
    assert.match((await schemaFault(database)) ?? '', /migration jobs 901.*upgrade this node/);
    assert.deepEqual(await faultsOf(), [['schema', false]]);
    await database.read((sql) => sql`delete from schema_migration where number >= 900`);
  });

  test('an object store or a shard of records that does not answer leaves a node ready for all else', async (t) => {
    const away = awayDatabase(t);
    assert.deepEqual(await faultsOf({ objects: openObjects(database, unusedS3), shards: [database, away] }), [
      ['postgres_shard_2', true],
      ['s3', true],
    ]);
    assert.deepEqual(await faultsOf({ database: away }), [['postgres', false]]);
  });

  test('a server of passive DNS that does not answer, or hangs, leaves a node ready for all else', async () => {
    const client = new ClickHouseClient({
      urls: ['http://127.0.0.1:9'],
      database: 'nameglass',
      user: 'default',
      password: '',
      allowOld: true,
    });
    for (const askPassiveDns of [() => client.ask(), () => new Promise<undefined>(() => undefined)])
      assert.deepEqual(await faultsOf({ askPassiveDns }), [['clickhouse', true]]);
    assert.deepEqual(await faultsOf({ askPassiveDns: async () => undefined }), []);
  });

  test('streams that wait for the object store are counted exactly, and too many of them are a fault', async () => {
    const streams = openStreamStore(database, answering);
    assert.equal(await streams.findUnsealedBytes(), 0);
    const line = `${'x'.repeat(599_999)}\n`;
    for (const stream of ['feed-nod', 'feed-nod', 'ch1'])
      await streams.append([{ stream, bytes: Buffer.from(line) }], Date.now());
    assert.equal(await streams.findUnsealedBytes(), 1_800_000);
    assert.deepEqual(await faultsOf({ unsealedBytesMax: 1_800_000 }), []);
    assert.deepEqual(await faultsOf(), [['unsealed', true]]);
    await streams.close();
  });

  test('doctor says what is wrong with tables and clocks', async () => {
    const checks = await checkPostgres(database, { now: () => Date.now() - 10_000 });
    const failed = checks.filter(({ state }) => state === 'fail').map(({ check }) => check);
    assert.ok(
      failed.includes('the clocks agree') && !failed.includes('the tables are those of this version'),
    );
  });
} else test('readiness', { skip: 'skipped: no PostgreSQL' }, () => undefined);

function awayDatabase(t: TestContext): PostgresDatabase {
  lastFirst(t);
  const url = `postgres://postgres@127.0.0.1:9/postgres`;
  const away = new PostgresDatabase({ url, schema: 'ready', poolMax: 2 });
  t.after(() => away.close());
  return away;
}
