/** How lookups are asked of ClickHouse: several in one query, and none that nobody waits for. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../../../../src/model/problem.ts';
import { ClickHouseClient } from '../../../../src/store/distributed/clickhouse/clickhouse-client.ts';
import { ClickHouseRrsetStore } from '../../../../src/store/distributed/rrset/rrset-store.ts';
import type { Scan, Selection } from '../../../../src/store/rrset-store.ts';
import { all } from '../../../conformance/rrset-store.ts';
import * as any from '../../../harness/arbitraries/rrset-arbitraries.ts';
import { newClickHouseDatabase, startClickHouse } from '../../../harness/engines/clickhouse.ts';
import { type Lost, startLossyProxy } from '../../../harness/engines/lossy-proxy.ts';
import { newNodes } from '../../../harness/engines/nodes.ts';
import { startPostgres } from '../../../harness/engines/postgres.ts';
import { fileScope } from '../../../harness/test-scope.ts';

const scope = fileScope();
const postgres = await startPostgres(scope);
const clickhouse = await startClickHouse(scope);
const namesStored = 60;

const scanOf = (selection: Selection, types: Scan['filter']['types'] = 'any'): Scan => ({
  selection,
  filter: { types, fences: {} },
  merged: true,
  nowSeconds: any.nowSeconds,
});
const nameOf = (index: number) => any.wire(`h${index}.example.com.`);
const ownerOf = (index: number): Selection => ({ by: 'owner', name: nameOf(index), span: 'none' });
const isTryAgain = (error: unknown) => error instanceof Problem && error.code === 'try-again';

if (postgres && clickhouse) {
  const version = await clickhouse.run('select version()');

  /** A store with some names, of which the one with number n has n + 1 addresses; and how many requests it sent. */
  const newStore = async (t: TestContext, loses: (url: URL) => Lost = () => 'nothing') => {
    const sent = { requests: 0 };
    const url = await startLossyProxy(t, clickhouse.url, (to) => {
      sent.requests += 1;
      return loses(to);
    });
    const client = new ClickHouseClient({ ...newClickHouseDatabase(clickhouse, version), urls: [url] });
    const store = new ClickHouseRrsetStore({
      database: newNodes(postgres, ['rrset'], t)(),
      shards: [client],
    });
    t.after(() => store.close());
    const intake = await store.openIntake();
    for (let index = 0; index < namesStored; index += 1) {
      for (let address = 0; address <= index; address += 1) {
        await intake.add({
          origin: 'sensor',
          owner: nameOf(index),
          type: 1,
          bailiwick: any.wire('.'),
          rdata: [any.rdata(1, `192.0.2.${address}`)],
          firstSeconds: any.nowSeconds,
          lastSeconds: any.nowSeconds,
          count: 1,
        });
      }
    }
    await intake.flush();
    sent.requests = 0;
    return { store, client, sent };
  };

  test('lookups of names that come together are few queries, and each gets its own rows', async (t) => {
    const { store, sent } = await newStore(t);
    const indexes = Array.from({ length: namesStored + 5 }, (_, index) => index);
    const found = await Promise.all(indexes.map((index) => all(store.scan(scanOf(ownerOf(index))))));
    for (const [index, rows] of found.entries()) {
      assert.equal(rows.length, index < namesStored ? index + 1 : 0, `name ${index}`);
      assert.ok(rows.every((row) => Buffer.compare(row.owner, nameOf(index)) === 0));
    }
    assert.ok(sent.requests <= 8, `${sent.requests} requests`);
  });

  test('lookups of addresses, and lookups that differ in more than the name, are answered as alone', async (t) => {
    const { store, sent } = await newStore(t);
    const address = (index: number): Selection => {
      const bytes = Uint8Array.of(192, 0, 2, index);
      return { by: 'address', from: bytes, to: bytes };
    };
    const scans = Array.from({ length: 20 }, (_, index) => [
      scanOf(address(index)),
      scanOf(ownerOf(index), { only: new Set([1]) }),
      scanOf(ownerOf(index), { only: new Set([28]) }),
      { ...scanOf(ownerOf(index)), filter: { types: 'any', fences: {}, countMin: 2 } } as const,
    ]).flat();
    const together = await Promise.all(scans.map((scan) => all(store.scan(scan))));
    const gathered = sent.requests;
    for (const [index, rows] of together.entries()) {
      const scan = { ...(scans[index] as Scan), wanted: 500 };
      const alone = await all(store.scan(scan));
      assert.deepEqual(
        rows.map(({ owner, rdata, count }) => [owner, rdata, count]),
        alone.map(({ owner, rdata, count }) => [owner, rdata, count]),
      );
    }
    assert.ok(gathered <= 16, `${gathered} requests`);
  });

  test('a lookup that is abandoned does not end those that were asked with it', async (t) => {
    const { store } = await newStore(t);
    const abandoned = [1, 2, 3].map((index) => store.scan(scanOf(ownerOf(index)))[Symbol.asyncIterator]());
    const waiting = [4, 5, 6].map((index) => all(store.scan(scanOf(ownerOf(index)))));
    for (const one of abandoned) void one.next();
    for (const one of abandoned) await one.return?.();
    assert.deepEqual(
      (await Promise.all(waiting)).map(({ length }) => length),
      [5, 6, 7],
    );
    assert.equal((await all(store.scan(scanOf(ownerOf(2))))).length, 3);
  });

  test('an answer is kept as long as nothing is added, and costs no request', async (t) => {
    const { store, sent } = await newStore(t);
    const untilMs = performance.now() + 5000;
    // The notification of what was added last may come after the first answers.
    for (let isKept = false; !isKept; ) {
      assert.ok(performance.now() < untilMs, 'no answer is kept');
      const before = sent.requests;
      assert.equal((await all(store.scan(scanOf(ownerOf(7))))).length, 8);
      isKept = sent.requests === before;
      await pause(20);
    }
  });

  test('a page reads no more rows than it wants', async (t) => {
    const { store } = await newStore(t);
    const below = scanOf({ by: 'owner', name: any.wire('example.com.'), span: 'below' });
    const slices = store.scan({ ...below, wanted: 30 })[Symbol.asyncIterator]();
    for (;;) {
      const slice = await slices.next();
      assert.ok(!slice.done);
      if (slice.value.length === 0) continue;
      assert.ok(slice.value.length <= 30, `${slice.value.length} rows`);
      break;
    }
    await slices.return?.();
  });

  const sleeping = (mark: string) => `select '${mark}', sleepEachRow(1) from numbers(60)`;
  const settings = { max_block_size: 1 };
  const runningOf = (mark: string) =>
    clickhouse.run(
      `select count() from system.processes where query like '%${mark}%' and query not like '%processes%'`,
    );
  const untilRunning = async (mark: string, count: string) => {
    const beganMs = performance.now();
    while ((await runningOf(mark)) !== count) {
      assert.ok(performance.now() - beganMs < 5000, `not ${count}`);
      await pause(20);
    }
    return performance.now() - beganMs;
  };

  test('a query that an administrator ends on the server is to be tried again, and not repeated', async (t) => {
    const { client, sent } = await newStore(t);
    const mark = `ended_${process.pid}`;
    const reading = assert.rejects(client.read(sleeping(mark), { settings }), isTryAgain);
    await untilRunning(mark, '1');
    const before = sent.requests;
    await clickhouse.run(`kill query where query like '%${mark}%' and query not like '%kill%' async`);
    await reading;
    assert.equal(sent.requests, before);
  });

  test('where the request to end a query fails, the one who abandoned it does not notice', async (t) => {
    let losesAll = false;
    const { client } = await newStore(t, () => (losesAll ? 'request' : 'nothing'));
    const mark = `left_${process.pid}`;
    const abandoning = new AbortController();
    const reading = client.read(sleeping(mark), { settings, signal: abandoning.signal });
    const failed = assert.rejects(reading);
    await untilRunning(mark, '1');
    losesAll = true;
    abandoning.abort();
    await failed;
    losesAll = false;
    assert.equal((await client.read('select 1')).toString(), '1\n');
    await clickhouse.run(`kill query where query like '%${mark}%' and query not like '%kill%' async`);
    await untilRunning(mark, '0');
  });

  test('a query whose block takes a tenth of a second is ended within a second of being abandoned', async (t) => {
    const { client } = await newStore(t);
    const mark = `abandoned_${process.pid}`;
    const abandoning = new AbortController();
    const statement = `select '${mark}', sleepEachRow(0.1) from numbers(600)`;
    const failed = assert.rejects(client.read(statement, { settings, signal: abandoning.signal }));
    await untilRunning(mark, '1');
    abandoning.abort();
    await failed;
    const tookMs = await untilRunning(mark, '0');
    assert.ok(tookMs < 1000, `${tookMs} ms`);
  });
}
