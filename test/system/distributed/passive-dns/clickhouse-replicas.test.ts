/** What only replicas of ClickHouse that fail can show: what was acknowledged is on two of them, and is there once. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../../../../src/model/problem.ts';
import { checkClickHouse } from '../../../../src/store/distributed/clickhouse/clickhouse-checks.ts';
import { ClickHouseClient } from '../../../../src/store/distributed/clickhouse/clickhouse-client.ts';
import { PostgresDatabase } from '../../../../src/store/distributed/postgres/database.ts';
import {
  migrateClickHouse,
  openClickHouseRrsets,
} from '../../../../src/store/distributed/rrset/open-clickhouse-rrsets.ts';
import { ClickHouseRrsetStore } from '../../../../src/store/distributed/rrset/rrset-store.ts';
import type { Intake } from '../../../../src/store/rrset-store.ts';
import type { ClickHouseServer } from '../../../harness/engines/clickhouse.ts';
import { cluster, sessionMs, startReplicas } from '../../../harness/engines/clickhouse-replicas.ts';
import { newNodes } from '../../../harness/engines/nodes.ts';
import { newSchema, startPostgres } from '../../../harness/engines/postgres.ts';
import { observationsOf, rowsPerBatch } from '../../../harness/engines/rrset-importer.ts';
import {
  importWhileKilling,
  kills,
  sumsOf,
  writeWhileKilling,
} from '../../../harness/engines/rrset-kills.ts';
import { fileScope } from '../../../harness/test-scope.ts';

const scope = fileScope();
const postgres = await startPostgres(scope);
const replicas = await startReplicas(scope);
const isTryAgain = (error: unknown) => error instanceof Problem && error.code === 'try-again';
const sums = (batches: number) => [batches * rowsPerBatch, batches * rowsPerBatch];
/** Long enough for a quorum, short enough for a test. */
const leaseMs = 6000;
const timeout = 900_000;

async function addBatch(intake: Intake): Promise<void> {
  for (const one of observationsOf(1)) await intake.add(one);
}

async function eventually(check: () => Promise<void>, patienceMs = 30_000): Promise<void> {
  const untilMs = performance.now() + patienceMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > untilMs) throw error;
      await pause(200);
    }
  }
}

if (postgres && replicas) {
  const { servers, zookeeper } = replicas;
  const [first, second] = servers;

  const newStore = (t: TestContext) => {
    const schema = newSchema(postgres, ['rrset']);
    const options = replicas.newDatabase();
    const open = (urls = options.urls): ClickHouseRrsetStore => {
      const database = new PostgresDatabase(schema);
      const shards = [new ClickHouseClient({ ...options, urls })];
      const store = new ClickHouseRrsetStore({ database, shards, leaseMs });
      t.after(async () => {
        await store.close();
        await database.close();
      });
      return store;
    };
    const rowsOn = (server: ClickHouseServer) =>
      server.run(
        `select sumMerge(count), uniqExact(key) from ${options.database}.rrset_row where kind in (0, 1) and key != 'fence'`,
      );
    /** What either replica has by itself. */
    const assertEqual = async (batches: number) => {
      for (const server of servers) assert.deepEqual(await sumsOf(open([server.url])), sums(batches));
      assert.equal(await rowsOn(first), await rowsOn(second));
    };
    return { open, assertEqual, options, schema };
  };

  test('an insert is refused while one replica is away, and is there once when it is back', async (t) => {
    const { open, assertEqual } = newStore(t);
    const store = open();
    const intake = await store.openIntake({ publish: true });
    await addBatch(intake);
    await intake.flush();
    for (const server of [second, first]) {
      await server.kill();
      await addBatch(intake);
      // First while it is still taken for alive, then while it is known to be away.
      await assert.rejects(intake.flush(), isTryAgain);
      await pause(sessionMs);
      await assert.rejects(intake.flush(), isTryAgain);
      assert.match((await store.ask()) ?? '', /a replica of ClickHouse does not answer/);
      await server.start();
      await eventually(() => intake.flush());
      assert.equal(await store.ask(), undefined);
    }
    await eventually(() => assertEqual(3));
  });

  test('reads fail over when a replica is killed', async (t) => {
    const { open } = newStore(t);
    const store = open();
    const intake = await store.openIntake();
    await addBatch(intake);
    await intake.flush();
    for (const server of servers) {
      assert.deepEqual(await sumsOf(store), sums(1));
      await server.kill();
      const answers = await Promise.all(Array.from({ length: 8 }, () => sumsOf(open())));
      assert.deepEqual(answers, Array(8).fill(sums(1)));
      assert.deepEqual(await sumsOf(store), sums(1));
      await server.start();
    }
    await eventually(() => store.openIntake({ importId: 'later' }).then(() => undefined));
  });

  test('a batch that one replica has, and whose writer died, is either counted or given up, never both', async (t) => {
    const { open, assertEqual } = newStore(t);
    const writer = open([first.url, second.url]);
    const intake = await writer.openIntake({ importId: 'one' });
    await addBatch(intake);
    await second.kill();
    await assert.rejects(intake.flush(), isTryAgain);
    await pause(leaseMs + 500);
    const other = open();
    // While it lacks its quorum nobody can say what becomes of it.
    await assert.rejects(other.openIntake({ importId: 'one' }), isTryAgain);
    await second.start();
    await eventually(async () => {
      const resumed = await other.openIntake({ importId: 'one' });
      if (resumed.durable === 0) await addBatch(resumed);
      await resumed.finish();
    });
    await eventually(() => assertEqual(1));
  });

  test('without ZooKeeper replicas answer what they have, and accept nothing', async (t) => {
    const { open, assertEqual } = newStore(t);
    const store = open();
    const intake = await store.openIntake();
    await addBatch(intake);
    await intake.flush();
    assert.deepEqual(await sumsOf(store), sums(1));
    await zookeeper.kill();
    await pause(2 * sessionMs);
    assert.deepEqual(await sumsOf(store), sums(1));
    await addBatch(intake);
    await assert.rejects(intake.flush(), isTryAgain);
    await zookeeper.start();
    await eventually(() => intake.flush());
    await eventually(() => assertEqual(2));
  });

  test('a replica that lost its data answers again when it has everything', async (t) => {
    const { open, assertEqual, options } = newStore(t);
    const store = open();
    const intake = await store.openIntake();
    await addBatch(intake);
    await intake.flush();
    await second.loseData(options.database);
    const settings = { ...options, urls: [options.urls.join(',')], cluster };
    await assert.rejects(sumsOf(open([second.url])), isTryAgain);
    assert.deepEqual(await sumsOf(open(options.urls.toReversed())), sums(1));
    const states = async () => (await checkClickHouse(settings)).map(({ state }) => state);
    assert.ok((await states()).includes('fail'));
    await migrateClickHouse(settings);
    await eventually(() => assertEqual(1));
    assert.ok(!(await states()).includes('fail'));
  });

  test('several replicas of a shard without a cluster are refused, since each would have a part', async (t) => {
    const database = newNodes(postgres, ['rrset'], t)();
    const settings = { ...replicas.newDatabase(), urls: [`${first.url},${second.url}`], cluster: '' };
    await assert.rejects(
      openClickHouseRrsets({ database, settings }),
      /store\.clickhouse\.cluster is needed/,
    );
    const store = await openClickHouseRrsets({ database, settings: { ...settings, cluster } });
    assert.deepEqual(await sumsOf(store), sums(0));
    await store.close();
  });

  test('replicas that are killed at random while batches are written lose and double nothing', {
    timeout,
  }, async (t) => {
    const { open, assertEqual } = newStore(t);
    let killed = first;
    const either = {
      kill: () => {
        killed = Math.random() < 0.5 ? first : second;
        return killed.kill();
      },
      // Sometimes the next one is killed before this one takes part again.
      start: async () => {
        await killed.start();
        await pause(Math.random() * 2 * sessionMs);
      },
    };
    const batches = await writeWhileKilling(open(), either);
    t.diagnostic(`${kills} kills, ${batches} batches`);
    await eventually(() => assertEqual(batches));
  });

  test('an import whose process is killed is there once on both replicas', { timeout }, async (t) => {
    const { open, assertEqual, options, schema } = newStore(t);
    const batches = 3 * kills;
    const killed = await importWhileKilling(open(), {
      postgres: schema,
      store: { kind: 'clickhouse', clickhouse: options },
      importId: 'killed',
      batches,
      leaseMs: 2000,
    });
    t.diagnostic(`${killed} kills, ${batches} batches`);
    await eventually(() => assertEqual(batches));
    assert.ok(killed >= kills / 2, `only ${killed} kills`);
  });
}
