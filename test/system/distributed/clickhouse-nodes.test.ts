/** What only several nodes, or servers that fail, can show of passive DNS on ClickHouse. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { Rrset } from '../../../src/model/dns/rrset.ts';
import { Problem } from '../../../src/model/problem.ts';
import { checkClickHouse } from '../../../src/store/distributed/clickhouse/clickhouse-checks.ts';
import { ClickHouseClient } from '../../../src/store/distributed/clickhouse/clickhouse-client.ts';
import {
  migrateClickHouse,
  openClickHouseRrsets,
} from '../../../src/store/distributed/rrset/open-clickhouse-rrsets.ts';
import { PagedSlices } from '../../../src/store/distributed/rrset/paged-slices.ts';
import { ClickHouseRrsetStore } from '../../../src/store/distributed/rrset/rrset-store.ts';
import type { RrsetStore, Scan } from '../../../src/store/rrset-store.ts';
import { all } from '../../conformance/rrset-store.ts';
import * as any from '../../harness/arbitraries/rrset-arbitraries.ts';
import { newClickHouseDatabase, startClickHouse } from '../../harness/engines/clickhouse.ts';
import { type Lost, startLossyProxy } from '../../harness/engines/lossy-proxy.ts';
import { newNodes } from '../../harness/engines/nodes.ts';
import { startPostgres } from '../../harness/engines/postgres.ts';
import { shown } from '../../harness/reference/rrset-reference.ts';
import { fileScope } from '../../harness/test-scope.ts';

const scope = fileScope();
const postgres = await startPostgres(scope);
const clickhouse = await startClickHouse(scope);

const everything: Scan = {
  selection: { by: 'owner', name: any.wire('.'), span: 'below' },
  filter: { types: 'any', fences: {} },
  merged: true,
  nowSeconds: any.nowSeconds,
};

function seen(owner: Uint8Array, count = 1): Rrset {
  const [firstSeconds, lastSeconds] = [any.nowSeconds, any.nowSeconds];
  const rdata = [any.rdata(1, '192.0.2.1')];
  return {
    origin: 'sensor',
    owner,
    type: 1,
    bailiwick: any.wire('.'),
    rdata,
    firstSeconds,
    lastSeconds,
    count,
  };
}

const names = (count: number) =>
  Array.from({ length: count }, (_, index) => any.wire(`h${index}.example.com.`));

async function sumOf(store: RrsetStore): Promise<number> {
  return (await all(store.scan(everything))).reduce((sum, { count }) => sum + count, 0);
}

if (postgres && clickhouse) {
  const version = await clickhouse.run('select version()');

  interface NodeOptions {
    readonly url?: string;
    readonly leaseMs?: number;
  }

  const newStore = (t: TestContext) => {
    const node = newNodes(postgres, ['rrset'], t);
    const options = newClickHouseDatabase(clickhouse, version);
    const open = ({ url = clickhouse.url, leaseMs = 30_000 }: NodeOptions = {}) => {
      const client = new ClickHouseClient({ ...options, urls: [url] });
      const store = new ClickHouseRrsetStore({ database: node(), shards: [client], leaseMs });
      t.after(() => store.close());
      return store;
    };
    return { open, database: options.database };
  };

  const isTryAgain = (error: unknown) => error instanceof Problem && error.code === 'try-again';
  const isInsertOfRows = (url: URL) => /insert into rrset_row/.test(url.searchParams.get('query') ?? '');

  test('names of any bytes are stored, found and never understood as a part of a statement', async (t) => {
    const store = newStore(t).open();
    const label = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 12 }),
      fc
        .constantFrom("'", "\\'", "') or 1 = 1 --", '\0', '`"%_', '{a:String}', ';drop')
        .map((text) => Buffer.from(text)),
    );
    const name = fc
      .array(label, { minLength: 1, maxLength: 3 })
      .map((labels) => Uint8Array.from([...labels.flatMap((one) => [one.length, ...one]), 0]));
    const owners = fc.sample(name, { numRuns: 60, seed: 3 });
    const observations = owners.map((owner) => ({
      ...seen(owner),
      type: 16,
      rdata: [Uint8Array.of(owner.length, ...owner)],
    }));
    const intake = await store.openIntake();
    for (const one of observations) await intake.add(one);
    await intake.flush();
    for (const owner of owners) {
      for (const span of ['none', 'right'] as const) {
        const rows = await all(store.scan({ ...everything, selection: { by: 'owner', name: owner, span } }));
        assert.ok(rows.some((row) => Buffer.compare(row.owner, owner) === 0));
      }
      const bytes = Uint8Array.of(owner.length, ...owner);
      const rows = await all(store.scan({ ...everything, selection: { by: 'rdata-prefix', bytes } }));
      assert.ok(rows.some((row) => Buffer.compare(row.owner, owner) === 0));
    }
  });

  test('a batch whose answer is lost, or whose request is cut off, is there once', async (t) => {
    const { open, database } = newStore(t);
    const losses: Lost[] = ['answer', 'half', 'answer', 'answer', 'request', 'half', 'nothing'];
    const url = await startLossyProxy(t, clickhouse.url, (to) =>
      isInsertOfRows(to) ? (losses.shift() ?? 'nothing') : 'nothing',
    );
    const intake = await open({ url }).openIntake({ publish: true });
    const owners = names(300);
    for (let batch = 0; batch < 4; batch += 1) {
      for (const owner of owners) await intake.add(seen(owner, 5));
      await intake.flush();
    }
    assert.deepEqual(losses, []);
    assert.equal(await sumOf(open()), 4 * 300 * 5);
    const markers = await clickhouse.run(
      `select count(), uniq(key) from (select key from ${database}.rrset_row where kind = 0)`,
    );
    assert.equal(markers, '4\t4');
  });

  test('a batch whose writer died counts once where it was inserted, and is given up where it was not', async (t) => {
    const { open } = newStore(t);
    for (const lost of ['answer', 'half'] as const) {
      let isDead = false;
      const url = await startLossyProxy(t, clickhouse.url, (to) => {
        if (isDead) return 'request';
        isDead = isInsertOfRows(to);
        return isDead ? lost : 'nothing';
      });
      const writer = open({ url, leaseMs: 600 });
      const intake = await writer.openIntake({ importId: lost });
      for (const owner of names(50)) await intake.add(seen(owner));
      await assert.rejects(intake.flush(), isTryAgain);
    }
    const other = open();
    const busy = await other.openIntake({ importId: 'answer' });
    const progress = busy.durable;
    await pause(700);
    const resumed = await other.openIntake({ importId: 'answer' });
    assert.ok(progress === 0 || progress === 50);
    assert.equal(resumed.durable, 50);
    assert.equal((await other.findImport('half'))?.observations ?? 0, 0);
    assert.equal(await sumOf(other), 50);
    const again = await other.openIntake({ importId: 'half' });
    for (const owner of names(50)) await again.add(seen(owner));
    await again.finish();
    assert.equal(await sumOf(other), 100);
  });

  test('a batch whose writer died between two shards is completed by another node', async (t) => {
    const node = newNodes(postgres, ['rrset'], t);
    const databases = [1, 2].map(() => newClickHouseDatabase(clickhouse, version));
    let inserts = 0;
    const url = await startLossyProxy(t, clickhouse.url, (to) => {
      if (isInsertOfRows(to)) inserts += 1;
      return inserts > 1 ? 'request' : 'nothing';
    });
    const open = (through: string, leaseMs: number) => {
      const shards = databases.map((options) => new ClickHouseClient({ ...options, urls: [through] }));
      const store = new ClickHouseRrsetStore({ database: node(), shards, leaseMs });
      t.after(() => store.close());
      return store;
    };
    const intake = await open(url, 600).openIntake({ importId: 'one' });
    for (const owner of names(50)) await intake.add(seen(owner));
    await intake.add(seen(any.wire('a.test.')));
    await assert.rejects(intake.flush(), isTryAgain);
    await pause(700);
    const other = open(clickhouse.url, 30_000);
    assert.equal((await other.openIntake({ importId: 'one' })).durable, 51);
    assert.equal(await sumOf(other), 51);
    const [from, to] = [Uint8Array.of(0, 0, 0, 0), Uint8Array.of(255, 255, 255, 255)];
    const rows = await all(other.scan({ ...everything, selection: { by: 'address', from, to } }));
    assert.equal(rows.length, 51);
  });

  test('what several nodes observe first at the same time is new in exactly one batch', async (t) => {
    const { open, database } = newStore(t);
    const nodes = [open(), open(), open()];
    await Promise.all(
      nodes.map(async (node, index) => {
        const intake = await node.openIntake({ publish: true });
        for (let batch = 0; batch < 3; batch += 1) {
          for (const owner of names(20)) await intake.add(seen(owner));
          await intake.add(seen(any.wire(`n${index}b${batch}.example.net.`)));
          await intake.flush();
        }
      }),
    );
    assert.equal(await sumOf(nodes[0] as RrsetStore), 9 * 21);
    const found: string[] = [];
    for (let index = 0; ; index += 1) {
      const node = nodes[index % 3] as RrsetStore;
      const batch = await node.findUnpublished();
      if (!batch) break;
      for (const one of await all(node.scanNewlyObserved({ sequence: batch.sequence, silenceSeconds: 1 }))) {
        if (one.newRrset) found.push(shown(one.row));
      }
      await node.markPublished(batch.sequence, { domains: 0, hosts: 0 });
    }
    assert.equal(found.length, 20 + 9);
    assert.equal(new Set(found).size, 20 + 9);
    assert.equal(await clickhouse.run(`select count() from ${database}.rrset_batch`), '0');
  });

  test('answers of one node are new after another node added something', async (t) => {
    const { open } = newStore(t);
    const [one, other] = [open(), open()];
    const lookup = {
      ...everything,
      selection: { by: 'owner', name: any.wire('a.test.'), span: 'none' },
    } as const;
    for (let round = 1; round <= 5; round += 1) {
      const intake = await other.openIntake();
      await intake.add(seen(any.wire('a.test.')));
      await intake.flush();
      const before = one.state();
      for (let asked = 0; asked < 1000; asked += 1) {
        const [row] = await all(one.scan(lookup));
        if (row?.count === round && one.scan(lookup).readAllSync?.()?.[0]?.count === round) break;
        assert.ok(asked < 999, `round ${round}: ${row?.count}`);
        await pause(10);
      }
      assert.notEqual(one.state(), before);
    }
  });

  test('a query that nobody waits for is ended on the server', async () => {
    const client = new ClickHouseClient(newClickHouseDatabase(clickhouse, version));
    const mark = `abandoned_${process.pid}`;
    const statement = `select '${mark}', sleepEachRow(1) from numbers(60)`;
    const settings = { max_block_size: 1 };
    const slices = new PagedSlices({
      nextPage: async (signal) => [(await client.read(statement, { signal, settings })).length],
    });
    const running = `select count() from system.processes where query like '%${mark}%' and query not like '%processes%'`;
    assert.deepEqual(await slices.next(), { done: false, value: [] });
    assert.equal(await clickhouse.run(running), '1');
    await slices.return();
    // It sleeps a second for each row, and notices between two of them.
    for (let left = 20; (await clickhouse.run(running)) !== '0'; left -= 1) {
      assert.ok(left > 0, 'it still runs');
      await pause(100);
    }
  });

  test('an old version is refused unless it is allowed, and doctor warns of it', async (t) => {
    const database = newNodes(postgres, ['rrset'], t)();
    const settings = {
      urls: [clickhouse.url],
      database: `opened_${process.pid}`,
      user: 'default',
      password: '',
      cluster: '',
      allowOld: true,
    };
    await assert.rejects(openClickHouseRrsets({ database, settings }), /store migrate/);
    await migrateClickHouse(settings);
    await migrateClickHouse(settings);
    const store = await openClickHouseRrsets({ database, settings });
    assert.deepEqual(await all(store.scan(everything)), []);
    await store.close();
    await assert.rejects(
      openClickHouseRrsets({ database, settings: { ...settings, allowOld: false } }),
      /ClickHouse 18\.16\.1 is too old: 24\.8 or later/,
    );
    const checks = await checkClickHouse(settings);
    assert.deepEqual(
      checks.map(({ state }) => state),
      ['ok', 'warn', 'ok', 'warn'],
    );
  });

  test('while ClickHouse is away passive DNS asks to try again, and what was not stored is stored later', async (t) => {
    const { open } = newStore(t);
    const store = open();
    const intake = await store.openIntake();
    await intake.add(seen(any.wire('a.test.')));
    await intake.flush();
    await clickhouse.kill();
    await intake.add(seen(any.wire('b.test.')));
    await assert.rejects(intake.flush(), isTryAgain);
    await assert.rejects(all(store.scan(everything)), isTryAgain);
    await clickhouse.start();
    await intake.flush();
    assert.equal(await sumOf(store), 2);
  });
}
