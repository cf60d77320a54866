/** Passive DNS in the object store while PostgreSQL, the gateway and its writers are killed: whatever was acknowledged is there, once. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { PostgresDatabase } from '../../src/store/distributed/postgres/database.ts';
import { newSchema, startPostgres } from '../harness/engines/postgres.ts';
import { startRadosGateway } from '../harness/engines/rados-gateway.ts';
import { type NodeStore, openNodeStore, rowsPerBatch } from '../harness/engines/rrset-importer.ts';
import { importWhileKilling, kills, sumsOf, writeWhileKilling } from '../harness/engines/rrset-kills.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { fileScope } from '../harness/test-scope.ts';

const timeout = 900_000;
const scope = fileScope();
const postgres = await startPostgres(scope);
const gateway = await startRadosGateway(scope);

if (postgres && gateway) {
  const newNode = (t: TestContext) => {
    const s3 = gateway.newOptions();
    const nodeOf = (): NodeStore => ({ kind: 'segments', s3, cacheDirectory: temporaryDirectory(t) });
    const options = newSchema(postgres, ['segments']);
    const open = () => {
      const database = new PostgresDatabase(options);
      const store = openNodeStore(database, nodeOf());
      t.after(async () => {
        await store.close();
        await database.close();
      });
      return store;
    };
    return { open, node: nodeOf(), postgres: options };
  };

  for (const [name, server] of [
    ['PostgreSQL', postgres],
    ['the gateway of the object store', gateway],
  ] as const) {
    test(`${name} is killed while batches are written, and each batch counts once on another node`, {
      timeout,
    }, async (t) => {
      const { open } = newNode(t);
      const batches = await writeWhileKilling(open(), server);
      const expected = batches * rowsPerBatch;
      const sums = await sumsOf(open());
      t.diagnostic(`${kills} kills, ${batches} batches, expected ${expected}, sums ${sums.join(' and ')}`);
      assert.deepEqual(sums, [expected, expected]);
    });
  }

  test('an import whose process is killed again and again is complete, and counts once', {
    timeout,
  }, async (t) => {
    const { open, node, postgres: database } = newNode(t);
    const store = open();
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
