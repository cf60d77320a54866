import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PostgresDatabase } from '../../../src/store/distributed/postgres/database.ts';
import { newSchema, startPostgres, startReplica } from '../../harness/engines/postgres.ts';

test('no acknowledged write is lost, and none is done twice, when PostgreSQL is killed and its replica promoted', async (t) => {
  const primary = await startPostgres(t, { settings: { wal_level: 'replica' } });
  if (!primary) return t.skip('skipped: no PostgreSQL');
  const { schema } = newSchema(primary, []);
  const replica = await startReplica(t, primary);
  const url = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${replica.port}/postgres?target_session_attrs=read-write`;
  const database = new PostgresDatabase({ url, schema, poolMax: 8 });
  t.after(() => database.close());
  await database.read((sql) => sql`create table written (number int)`);
  const acknowledged: number[] = [];
  let next = 0;
  const stopping = new AbortController();
  const writer = async () => {
    while (!stopping.signal.aborted) {
      const number = next++;
      await database.write((sql) => sql`insert into written values (${number})`);
      acknowledged.push(number);
    }
  };
  const writers = Promise.all([1, 2, 3, 4].map(writer));
  const until = async (count: number) => {
    while (acknowledged.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await until(200);
  const beganMs = performance.now();
  await primary.kill();
  await replica.run('select pg_promote()');
  const before = acknowledged.length;
  await until(before + 200);
  t.diagnostic(
    `200 more writes were acknowledged ${Math.round(performance.now() - beganMs)} ms after the kill`,
  );
  stopping.abort();
  await writers;
  const rows = await database.read((sql) => sql<{ number: number }[]>`select number from written`);
  const numbers = rows.map(({ number }) => number);
  assert.equal(new Set(numbers).size, numbers.length, 'none is there twice');
  assert.deepEqual(
    numbers.sort((a, b) => a - b),
    acknowledged.sort((a, b) => a - b),
  );
});
