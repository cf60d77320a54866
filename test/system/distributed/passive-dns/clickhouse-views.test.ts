/** The views for analysts, with the statements of docs/scaling.md, by a user who may only read. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ClickHouseClient } from '../../../../src/store/distributed/clickhouse/clickhouse-client.ts';
import { ClickHouseRrsetStore } from '../../../../src/store/distributed/rrset/rrset-store.ts';
import * as any from '../../../harness/arbitraries/rrset-arbitraries.ts';
import { newClickHouseDatabase, startClickHouse } from '../../../harness/engines/clickhouse.ts';
import { newNodes } from '../../../harness/engines/nodes.ts';
import { startPostgres } from '../../../harness/engines/postgres.ts';
import { fileScope } from '../../../harness/test-scope.ts';

const scope = fileScope();
const postgres = await startPostgres(scope);
const clickhouse = await startClickHouse(scope);
const page = readFileSync(join(import.meta.dirname, '../../../../docs/scaling.md'), 'utf8');
const documented = [...page.matchAll(/```sql\n(.*?)\n```/gs)].map(([, statement]) => statement ?? '');
const statementWith = (text: string) => {
  const found = documented.filter((statement) => statement.includes(text));
  assert.equal(found.length, 1, text);
  return found[0] as string;
};
const [types, daySeconds] = [{ A: 1, MX: 15 } as const, 86_400];
const oldSeconds = 1_000_000_000;
const recentSeconds = Math.floor(Date.now() / 1000) - daySeconds;

const observations = [
  ['www.example.com.', 'A', ['192.0.2.1', '192.0.2.2'], recentSeconds],
  ['www.example.com.', 'A', ['192.0.2.1', '192.0.2.2'], oldSeconds],
  ['example.com.', 'MX', ['10 mail.example.net.'], recentSeconds],
  ['a\\009b.example.com.', 'A', ['192.0.2.1'], recentSeconds],
  ['www.example.org.', 'A', ['192.0.2.1'], oldSeconds],
] as const;

if (postgres && clickhouse) {
  const version = await clickhouse.run('select version()');

  const filled = async (t: TestContext) => {
    const options = newClickHouseDatabase(clickhouse, version);
    const database = newNodes(postgres, ['rrset'], t)();
    const store = new ClickHouseRrsetStore({ database, shards: [new ClickHouseClient(options)] });
    t.after(() => store.close());
    const intake = await store.openIntake();
    for (const [owner, type, data, seconds] of observations) {
      await intake.add({
        origin: 'sensor',
        owner: any.wire(owner),
        type: types[type],
        bailiwick: any.wire('example.com.'),
        rdata: data.map((text) => any.rdata(types[type], text)),
        firstSeconds: seconds,
        lastSeconds: seconds,
        count: 3,
      });
    }
    await intake.flush();
    await intake.add({
      origin: 'sensor',
      owner: any.wire('newest.example.com.'),
      type: 1,
      bailiwick: any.wire('example.com.'),
      rdata: [any.rdata(1, '192.0.2.9')],
      firstSeconds: recentSeconds,
      lastSeconds: recentSeconds,
      count: 1,
    });
    await intake.flush();
    const inDatabase = (statement: string) => statement.replaceAll('nameglass.', `${options.database}.`);
    return {
      ask: async (statement: string) =>
        (await clickhouse.run(inDatabase(statement), 'analyst')).split('\n').map((line) => line.split('\t')),
      run: (statement: string) => clickhouse.run(inDatabase(statement)),
    };
  };

  test('the view rrsets has a row for each RRset, as text, with the sums of all its observations', async (t) => {
    const { ask } = await filled(t);
    const rows = await ask(
      `select owner, rrtype, zone, rdata, toUInt32(first_seen), toUInt32(last_seen), observations from nameglass.rrsets
        where key >= unhex('03636F6D076578616D706C650377') and key < unhex('03636F6D076578616D706C650378')`,
    );
    assert.deepEqual(rows, [
      [
        'www.example.com.',
        'A',
        'example.com.',
        "['192.0.2.1','192.0.2.2']",
        String(oldSeconds),
        String(recentSeconds),
        '6',
      ],
    ]);
  });

  test('the documented statements are answered to a user who may only read', async (t) => {
    const { ask } = await filled(t);
    const owners = (rows: readonly string[][]) => rows.map(([owner]) => owner);
    assert.deepEqual(owners(await ask(statementWith('has(rdata'))), ['example.com.']);
    assert.equal(owners(await ask(statementWith('order by batch desc')))[0], 'newest.example.com.');
    const inDomain = owners(await ask(statementWith('order by key')));
    assert.equal(inDomain.length, 4);
    assert.ok(inDomain.every((owner) => owner?.endsWith('example.com.')));
    assert.deepEqual((await ask(statementWith('arrayJoin')))[0], ['192.0.2.1', '3']);
  });

  test('a user who may only read can neither change nor delete', async (t) => {
    const { ask } = await filled(t);
    for (const statement of [
      'drop table nameglass.rrset_row',
      'insert into nameglass.rrset_batch (sequence) values (1)',
      statementWith('alter table'),
    ])
      await assert.rejects(ask(statement), /readonly/i, statement);
  });

  test('the documented statement deletes what was last seen long ago, and nothing else', async (t) => {
    const { ask, run } = await filled(t);
    // Versions before 20.1 store aggregates as states.
    await run(statementWith('alter table').replace(' last <', ' finalizeAggregation(last) <'));
    for (let left = 100; left > 0; left -= 1) {
      const [[count] = []] = await ask('select count() from nameglass.rrsets');
      if (count === '4') break;
      await pause(100);
    }
    const rows = await ask('select owner, observations from nameglass.rrsets order by owner');
    assert.deepEqual(rows, [
      ['a\\\\009b.example.com.', '3'],
      ['example.com.', '3'],
      ['newest.example.com.', '1'],
      ['www.example.com.', '3'],
    ]);
  });
}
