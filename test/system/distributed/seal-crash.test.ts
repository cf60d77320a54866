import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type DatabaseOptions, PostgresDatabase } from '../../../src/store/distributed/postgres/database.ts';
import { openObjects } from '../../../src/store/distributed/s3/open-objects.ts';
import type { S3Options } from '../../../src/store/distributed/s3/s3-requests.ts';
import { openStreamStore } from '../../../src/store/distributed/stream/stream-store.ts';
import { contentOf } from '../../conformance/stream-store.ts';
import { newSchema, startPostgres } from '../../harness/engines/postgres.ts';
import { startRadosGateway } from '../../harness/engines/rados-gateway.ts';
import { startS3Proxy } from '../../harness/engines/s3-proxy.ts';
import { fileScope, lastFirst } from '../../harness/test-scope.ts';

const scope = fileScope();
const postgres = await startPostgres(scope);
const gateway = await startRadosGateway(scope);
const worker = new URL('../../harness/workers/distributed/seal-worker.ts', import.meta.url).pathname;
const atMs = Date.parse('2026-03-04T12:00:00Z');

interface Node {
  readonly t: TestContext;
  readonly database: PostgresDatabase;
  readonly databaseOptions: DatabaseOptions;
  readonly s3Options: S3Options;
}

function startSealing(databaseOptions: DatabaseOptions, s3Options: S3Options): ChildProcess {
  const args = [worker, JSON.stringify(databaseOptions), JSON.stringify(s3Options)];
  return spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Kills a node that waits for a lock on a table. */
async function killAtTable(table: string, { database, databaseOptions, s3Options }: Node): Promise<void> {
  await database.writeRepeatable(async (sql) => {
    await sql`lock table ${sql(table)} in access exclusive mode`;
    const child = startSealing(databaseOptions, s3Options);
    const closed = once(child, 'close');
    for (;;) {
      const waiting = await sql`select 1 from pg_locks join pg_class on pg_class.oid = relation
        where not granted and relname = ${table}`;
      if (waiting.length > 0) break;
      assert.equal(child.exitCode, null, 'it has not reached the table');
      await pause(10);
    }
    child.kill('SIGKILL');
    await closed;
  });
}

/** Kills a node whose object is on its way, or stored. */
async function killAtUpload(event: 'onUpload' | 'onStored', node: Node): Promise<void> {
  const { t, databaseOptions, s3Options } = node;
  let child: ChildProcess | undefined;
  const kill = () => {
    child?.kill('SIGKILL');
    return false;
  };
  const endpoint = await startS3Proxy(t, s3Options.endpoint, { [event]: kill });
  child = startSealing(databaseOptions, { ...s3Options, endpoint });
  const [, signal] = (await once(child, 'close')) as [number, string];
  assert.equal(signal, 'SIGKILL');
}

const moments: readonly (readonly [when: string, kill: (node: Node) => Promise<void>])[] = [
  ['before it has listed its object', (node) => killAtTable('unused_object', node)],
  ['while it uploads its object', (node) => killAtUpload('onUpload', node)],
  ['when its object is stored', (node) => killAtUpload('onStored', node)],
  ['while its transaction replaces the lines', (node) => killAtTable('stream_segment', node)],
];

for (const [when, kill] of moments) {
  test(`a node that is killed in sealing ${when} leaves every line once`, async (t) => {
    if (!postgres || !gateway) return t.skip('skipped: no PostgreSQL or no RADOS Gateway');
    lastFirst(t);
    const databaseOptions = newSchema(postgres, ['streams']);
    const s3Options = gateway.newOptions();
    const database = new PostgresDatabase(databaseOptions);
    t.after(() => database.close());
    const objects = openObjects(database, s3Options);
    const store = openStreamStore(database, objects);
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`);
    for (const line of lines) await store.append([{ stream: 'feed-nod', bytes: Buffer.from(line) }], atMs);
    await kill({ t, database, databaseOptions, s3Options });
    assert.equal(await contentOf(store, 'feed-nod'), lines.join(''));
    assert.equal(await store.sealSegments(Date.now()), 1);
    assert.equal(await contentOf(store, 'feed-nod'), lines.join(''));
    await database.read((sql) => sql`update unused_object set since = since - interval '25 hours'`);
    await objects.stored.sweep();
    assert.equal((await gateway.listKeys(s3Options)).length, 1);
    for await (const damage of store.verify()) assert.fail(damage.problem);
  });
}
