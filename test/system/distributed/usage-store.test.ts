import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  absolute,
  type CountedLimit,
  type Limit,
  perDay,
  perMinute,
} from '../../../src/model/account/limit.ts';
import { dayMs, hourMs } from '../../../src/model/durations.ts';
import type { PostgresDatabase } from '../../../src/store/distributed/postgres/database.ts';
import { openUsageStore } from '../../../src/store/distributed/usage/usage-store.ts';
import { usageClockSteps } from '../../conformance/usage-clock-steps.ts';
import { type OpenUsageStore, usageStoreConformance } from '../../conformance/usage-store.ts';
import { endConnection, holdAnswers, loseHeldAnswer } from '../../harness/engines/lost-answers.ts';
import { newNodes } from '../../harness/engines/nodes.ts';
import { type PostgresServer, startPostgres } from '../../harness/engines/postgres.ts';
import { fileScope } from '../../harness/test-scope.ts';

const server = await startPostgres(fileScope());
const start = Date.parse('2026-03-04T10:11:12Z');
const counted = (limit: Limit, subject = 'account:a/x'): CountedLimit => ({ ...limit, subject });

async function countRows(database: PostgresDatabase, table: string): Promise<unknown> {
  const [row] = await database.read((sql) => sql`select count(*) as rows from ${sql(table)}`);
  return row?.['rows'];
}

async function losingAnswers(t: TestContext, postgres: PostgresServer) {
  const node = newNodes(postgres, ['usage'], t);
  const [database, other] = [node(), node({ durable: false })];
  await holdAnswers(postgres);
  const loseAnswer = async <Result>(answer: Promise<Result>): Promise<Result> => {
    await loseHeldAnswer(postgres);
    return answer;
  };
  return { store: openUsageStore(database), reader: openUsageStore(other), loseAnswer };
}

function severalNodes(postgres: PostgresServer): void {
  for (const [kind, limit] of [
    ['sliding', perMinute(2000)],
    ['calendar', perDay(2000)],
    ['block', absolute(2000)],
  ] as const) {
    test(`LIM-18 a ${kind} limit of 2000 grants exactly 2000 of 2500 charges of four clients of two nodes`, async (t) => {
      const node = newNodes(postgres, ['usage'], t);
      const stores = [1, 2].map(() => openUsageStore(node({ durable: false })));
      let [charges, granted] = [0, 0];
      const charge = async (store: (typeof stores)[number]) => {
        while (charges < 2500) {
          const batch = Math.min(25, 2500 - charges);
          charges += batch;
          const outcomes = await Promise.all(
            Array.from({ length: batch }, () => store.charge({ limits: [counted(limit)] }, start)),
          );
          granted += outcomes.filter((outcome) => outcome.granted).length;
        }
      };
      await Promise.all([...stores, ...stores].map(charge));
      assert.deepEqual([charges, granted], [2500, 2000]);
    });
  }

  test('nodes that charge the same counters in different order never wait for each other for ever', async (t) => {
    // Nobody resolves a deadlock.
    const own = await startPostgres(t, { settings: { deadlock_timeout: '1h' } });
    assert.ok(own);
    const node = newNodes(own, ['usage'], t);
    const stores = [1, 2, 3, 4].map(() => openUsageStore(node()));
    const limits = Array.from({ length: 200 }, (_, index) => counted(perDay(1e6), `account:${index}/x`));
    await Promise.all(
      stores.map(async (store, which) => {
        for (let round = 0; round < 40; round += 1) {
          const from = (round * 37) % limits.length;
          const some = [...limits.slice(from), ...limits.slice(0, from)];
          const ordered = which % 2 === 0 ? some : some.toReversed();
          await Promise.all([
            store.charge({ limits: ordered }, start),
            ...ordered.map(({ subject: owner }) =>
              store.charge({ limits: [], tally: { owner, item: 'x' } }, start),
            ),
          ]);
        }
      }),
    );
    assert.deepEqual(await stores[0]?.remainingOf(limits.slice(0, 1), start), [1e6 - 160]);
  });
}

function lostConnections(postgres: PostgresServer): void {
  test('LIM-18 a charge whose answer was lost with the connection is counted once, and its outcome is known', async (t) => {
    const own = await startPostgres(t);
    assert.ok(own);
    const { store, reader, loseAnswer } = await losingAnswers(t, own);
    const limit = counted(perDay(5));
    const request = { limits: [limit], remainingOf: limit, tally: { owner: 'account:a', item: 'x' } };
    assert.deepEqual(await loseAnswer(store.charge(request, start)), { granted: true, remaining: 4 });
    assert.deepEqual(await reader.remainingOf([limit], start), [4]);
    assert.deepEqual((await reader.talliesOf('account:a', start)).get('x'), { today: 1, month: 1 });
    assert.deepEqual(await store.charge(request, start), { granted: true, remaining: 3 });
  });

  test('AUTH-17 a claim whose answer was lost with the connection is granted, once', async (t) => {
    const own = await startPostgres(t);
    assert.ok(own);
    const { store, reader, loseAnswer } = await losingAnswers(t, own);
    const wanted = [{ id: Buffer.from('one signed request'), usesMax: 1 }];
    assert.equal(await loseAnswer(store.claim(wanted, start + 10, start)), true);
    assert.equal(await reader.claim(wanted, start + 10, start), false);
  });

  test('a charge whose connection was lost before it was done is done', async (t) => {
    const node = newNodes(postgres, ['usage'], t);
    const [store, other] = [openUsageStore(node()), node()];
    const limit = counted(perDay(5));
    await store.charge({ limits: [limit] }, start);
    const charging = await other.writeRepeatable(async (sql) => {
      await sql`select from usage_count for update`;
      const charged = store.charge({ limits: [limit], remainingOf: limit }, start);
      await endConnection(postgres, 'transactionid');
      return { charged };
    });
    assert.deepEqual(await charging.charged, { granted: true, remaining: 3 });
  });
}

function rowsKept(postgres: PostgresServer): void {
  const openOne = (t: TestContext, monotonic?: { readonly ms: number }) => {
    const database = newNodes(postgres, ['usage'], t)({ durable: false });
    const store = openUsageStore(database, monotonic && (() => monotonic.ms));
    return { store, rows: (table: string) => countRows(database, table) };
  };

  test('a sliding limit of 5 keeps 5 rows, however many charges it has granted', async (t) => {
    const { store, rows } = openOne(t);
    const limits = [counted(perMinute(5))];
    for (let charges = 0; charges < 50; charges += 1)
      assert.equal((await store.charge({ limits }, start + charges * 12_000)).granted, true);
    assert.equal(await rows('usage_grant'), 5);
  });

  test('a sliding limit of 5 grants 5 of 30 charges that come together', async (t) => {
    const { store, rows } = openOne(t);
    const charges = Array.from({ length: 30 }, (_, index) =>
      store.charge({ limits: [counted(perMinute(5))] }, start + (index < 15 ? 0 : 60_000)),
    );
    const outcomes = await Promise.all(charges);
    assert.equal(outcomes.slice(0, 15).filter(({ granted }) => granted).length, 5);
    assert.equal(outcomes.slice(15).filter(({ granted }) => granted).length, 5);
    assert.equal(await rows('usage_grant'), 5);
  });

  test('the windows of a counter take eight rows, and the days and months of an item eight each', async (t) => {
    const { store, rows } = openOne(t);
    const request = { limits: [counted(perDay(5))], tally: { owner: 'account:a', item: 'x' } };
    for (let day = 0; day < 300; day += 1) await store.charge(request, start + day * dayMs);
    assert.deepEqual([await rows('usage_count'), await rows('usage_tally')], [8, 16]);
  });

  test('charges of more windows than are kept may come together', async (t) => {
    const { store } = openOne(t);
    const limit = counted(perDay(1));
    const chargeAll = () =>
      Promise.all(
        Array.from({ length: 12 }, (_, day) => store.charge({ limits: [limit] }, start + day * dayMs)),
      );
    assert.ok((await chargeAll()).every(({ granted }) => granted));
  });

  test('pruning deletes every expired claim after an hour, more than fit in one batch, and no other', async (t) => {
    const monotonic = { ms: 0 };
    const { store, rows } = openOne(t, monotonic);
    const claim = (name: string, expiresMs: number) =>
      store.claim([{ id: Buffer.from(name), usesMax: 1 }], expiresMs, start);
    await Promise.all(Array.from({ length: 2501 }, (_, index) => claim(`request ${index}`, start + 10)));
    await claim('later', start + 11);
    const counts = [];
    for (const atMs of [start + 10, start + 10, start + 11]) {
      await store.pruneUsage(atMs);
      counts.push(await rows('usage_claim'));
      monotonic.ms += hourMs;
    }
    assert.deepEqual(counts, [2502, 1, 0]);
  });
}

if (server) {
  const open: OpenUsageStore = (t) => {
    const node = newNodes(server, ['usage'], t);
    return () => {
      const store = openUsageStore(node({ durable: false }));
      t.after(() => store.close());
      return store;
    };
  };
  usageStoreConformance('the distributed adapter', open);
  usageClockSteps('the distributed adapter', open);
  severalNodes(server);
  lostConnections(server);
  rowsKept(server);
} else test('the distributed usage store', { skip: 'skipped: no PostgreSQL' }, () => undefined);
