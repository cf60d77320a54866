/** Passive DNS on ClickHouse while its servers and its writers are killed: whatever was acknowledged is there, once. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { PostgresDatabase } from '../../src/store/distributed/postgres/database.ts';
import { newClickHouseDatabase, startClickHouse } from '../harness/engines/clickhouse.ts';
import { newSchema, startPostgres } from '../harness/engines/postgres.ts';
import { type NodeStore, openNodeStore, rowsPerBatch } from '../harness/engines/rrset-importer.ts';
import { importWhileKilling, kills, sumsOf, writeWhileKilling } from '../harness/engines/rrset-kills.ts';
import { fileScope } from '../harness/test-scope.ts';

const timeout = 900_000;
const scope = fileScope();
const postgres = await startPostgres(scope);
const clickhouse = await startClickHouse(scope);

if (postgres && clickhouse) {
  const version = await clickhouse.run('select version()');
  const newNode = (t: TestContext) => {
    const node: NodeStore = { kind: 'clickhouse', clickhouse: newClickHouseDatabase(clickhouse, version) };
    const options = newSchema(postgres, ['rrset']);
    const database = new PostgresDatabase(options);
    const store = openNodeStore(database, node);
    t.after(async () => {
      await store.close();
      await database.close();
    });
    return { store, node, postgres: options, name: node.clickhouse.database };
  };

  test('ClickHouse is killed while batches are written, and each batch counts once', {
    timeout,
  }, async (t) => {
    const { store, name } = newNode(t);
    const batches = await writeWhileKilling(store, clickhouse);
    const expected = batches * rowsPerBatch;
    const sums = await sumsOf(store);
    t.diagnostic(`${kills} kills, ${batches} batches, expected ${expected}, sums ${sums.join(' and ')}`);
    assert.deepEqual(sums, [expected, expected]);
    const markers = `select count(), uniqExact(key) from ${name}.rrset_row where kind = 0`;
    assert.equal(await clickhouse.run(markers), `${batches}\t${batches}`);
    await store.compact();
    assert.deepEqual(await sumsOf(store), [expected, expected]);
  });

  test('PostgreSQL is killed while batches are written, and each batch counts once', {
    timeout,
  }, async (t) => {
    const { store } = newNode(t);
    const batches = await writeWhileKilling(store, postgres);
    const expected = batches * rowsPerBatch;
    const sums = await sumsOf(store);
    t.diagnostic(`${kills} kills, ${batches} batches, expected ${expected}, sums ${sums.join(' and ')}`);
    assert.deepEqual(sums, [expected, expected]);
  });

  test('an import whose process is killed again and again is complete, and counts once', {
    timeout,
  }, async (t) => {
    const { store, node, postgres: database } = newNode(t);
    const batches = 20 + 8 * kills;
    const options = { postgres: database, store: node, importId: 'one', batches, leaseMs: 1500 };
    const killed = await importWhileKilling(store, options);
    const expected = batches * rowsPerBatch;
    const sums = await sumsOf(store);
    t.diagnostic(`${killed} kills, ${batches} batches, expected ${expected}, sums ${sums.join(' and ')}`);
    assert.deepEqual(sums, [expected, expected]);
    assert.ok(killed >= kills / 2, `only ${killed} kills`);
  });
}
