/** Passive DNS on ClickHouse while its servers and its writers are killed: whatever was acknowledged is there, once. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../../src/model/problem.ts';
import { ClickHouseClient } from '../../src/store/distributed/clickhouse/clickhouse-client.ts';
import { PostgresDatabase } from '../../src/store/distributed/postgres/database.ts';
import { ClickHouseRrsetStore } from '../../src/store/distributed/rrset/rrset-store.ts';
import type { Intake, RrsetStore, Scan, Selection } from '../../src/store/rrset-store.ts';
import { all } from '../conformance/rrset-store.ts';
import { nowSeconds, wire } from '../harness/arbitraries/rrset-arbitraries.ts';
import { newClickHouseDatabase, startClickHouse } from '../harness/engines/clickhouse.ts';
import { newSchema, startPostgres } from '../harness/engines/postgres.ts';
import { type ImporterOptions, observationsOf, rowsPerBatch } from '../harness/engines/rrset-importer.ts';
import { fileScope } from '../harness/test-scope.ts';

const timeout = 600_000;
const scope = fileScope();
const postgres = await startPostgres(scope);
const clickhouse = await startClickHouse(scope);

const selections: readonly Selection[] = [
  { by: 'owner', name: wire('.'), span: 'below' },
  { by: 'address', from: Uint8Array.of(0, 0, 0, 0), to: Uint8Array.of(255, 255, 255, 255) },
];

async function sumsOf(store: RrsetStore): Promise<number[]> {
  const sums: number[] = [];
  for (const selection of selections) {
    const scan: Scan = { selection, filter: { types: 'any', fences: {} }, merged: true, nowSeconds };
    sums.push((await all(store.scan(scan))).reduce((sum, { count }) => sum + count, 0));
  }
  return sums;
}

/** As the intake of sensors does: what could not be stored yet is stored later. */
async function flushPatiently(intake: Intake): Promise<void> {
  for (;;) {
    try {
      return await intake.flush();
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'try-again')) throw error;
    }
  }
}

if (postgres && clickhouse) {
  const version = await clickhouse.run('select version()');
  const newOptions = () => ({
    postgres: newSchema(postgres, ['rrset']),
    clickhouse: newClickHouseDatabase(clickhouse, version),
  });
  const open = (t: TestContext, options: ReturnType<typeof newOptions>) => {
    const database = new PostgresDatabase(options.postgres);
    const store = new ClickHouseRrsetStore({ database, shards: [new ClickHouseClient(options.clickhouse)] });
    t.after(async () => {
      await store.close();
      await database.close();
    });
    return store;
  };

  /** Kills a server at random moments while batches are written, and returns how many were. */
  const writeWhileKilling = async (
    store: RrsetStore,
    kills: number,
    server: { kill(): Promise<void>; start(): Promise<void> },
  ) => {
    const over = new AbortController();
    const killing = (async () => {
      for (let kill = 0; kill < kills; kill += 1) {
        await pause(50 + Math.random() * 400);
        await server.kill();
        await server.start();
      }
      over.abort();
    })();
    const intake = await store.openIntake({ publish: true });
    let batches = 0;
    for (; !over.signal.aborted; batches += 1) {
      for (const one of observationsOf(1)) await intake.add(one);
      await flushPatiently(intake);
    }
    await killing;
    return batches;
  };

  test('50 times ClickHouse is killed while batches are written, and each batch counts once', {
    timeout,
  }, async (t) => {
    const options = newOptions();
    const store = open(t, options);
    const batches = await writeWhileKilling(store, 50, clickhouse);
    const expected = batches * rowsPerBatch;
    assert.deepEqual(await sumsOf(store), [expected, expected]);
    const markers = `select count(), uniqExact(key) from ${options.clickhouse.database}.rrset_row where kind = 0`;
    assert.equal(await clickhouse.run(markers), `${batches}\t${batches}`);
    await store.compact();
    assert.deepEqual(await sumsOf(store), [expected, expected]);
    t.diagnostic(`${batches} batches`);
  });

  test('20 times PostgreSQL is killed while batches are written, and each batch counts once', {
    timeout,
  }, async (t) => {
    const store = open(t, newOptions());
    const batches = await writeWhileKilling(store, 20, postgres);
    assert.deepEqual(await sumsOf(store), [batches * rowsPerBatch, batches * rowsPerBatch]);
    t.diagnostic(`${batches} batches`);
  });

  test('an import whose process is killed again and again is complete, and counts once', {
    timeout,
  }, async (t) => {
    const batches = 60;
    const options = newOptions();
    const importer: ImporterOptions = { ...options, importId: 'one', batches, leaseMs: 1500 };
    const store = open(t, options);
    let kills = 0;
    for (;;) {
      const file = new URL('../harness/engines/rrset-importer.ts', import.meta.url).pathname;
      const child = spawn(process.execPath, [file, JSON.stringify(importer)], { stdio: 'ignore' });
      const closed = once(child, 'close');
      if (kills < 10) {
        // Once it writes, at a random moment.
        const before = (await store.findImport('one'))?.observations ?? 0;
        const isWriting = async () => ((await store.findImport('one'))?.observations ?? 0) > before;
        while (child.exitCode === null && !(await isWriting())) await pause(20);
        await pause(Math.random() * 100);
        child.kill('SIGKILL');
        kills += 1;
      }
      await closed;
      if ((await store.findImport('one'))?.complete) break;
    }
    assert.deepEqual(await sumsOf(store), [batches * rowsPerBatch, batches * rowsPerBatch]);
    t.diagnostic(`${kills} kills`);
  });
}
