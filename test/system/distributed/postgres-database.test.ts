import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../../../src/model/problem.ts';
import { PostgresDatabase } from '../../../src/store/distributed/postgres/database.ts';
import { migrate, migrationsOf } from '../../../src/store/distributed/postgres/migrations.ts';
import { endConnection, holdAnswers, loseHeldAnswer } from '../../harness/engines/lost-answers.ts';
import { newSchema, type PostgresServer, startPostgres } from '../../harness/engines/postgres.ts';
import { fileScope } from '../../harness/test-scope.ts';

const scope = fileScope();
let started: Promise<PostgresServer | undefined> | undefined;
const server = () => {
  started ??= startPostgres(scope);
  return started;
};

test('several nodes that migrate at once make every table once', async (t) => {
  const postgres = await server();
  if (!postgres) return t.skip('skipped: no PostgreSQL');
  const options = { url: postgres.url, schema: 'several_nodes', poolMax: 2 };
  const nodes = [1, 2, 3].map(() => new PostgresDatabase(options));
  t.after(() => Promise.all(nodes.map((node) => node.close())));
  const done = await Promise.all(nodes.map((node) => migrate(node, ['core'])));
  assert.equal(done.flat().length, migrationsOf(['core']).length);
});

/** Increments a counter; returns its new value. */
const increment = (database: PostgresDatabase, attempts: { made: number }) =>
  database.write(async (sql) => {
    attempts.made += 1;
    const [row] = await sql<{ value: number }[]>`update counter set value = value + 1 returning value`;
    return row?.value;
  });

async function openCounter(t: TestContext, postgres: PostgresServer) {
  const options = newSchema(postgres, []);
  const database = new PostgresDatabase(options);
  const other = new PostgresDatabase({ ...options, durable: false });
  t.after(() => Promise.all([database.close(), other.close()]));
  await database.read((sql) => sql`create table counter (value int)`);
  await database.read((sql) => sql`insert into counter values (0)`);
  const valueOf = async () => (await other.read((sql) => sql`select value from counter`))[0]?.['value'];
  return { database, other, valueOf };
}

test('a write whose connection is lost before it is committed is done again', async (t) => {
  const postgres = await server();
  if (!postgres) return t.skip('skipped: no PostgreSQL');
  const { database, other, valueOf } = await openCounter(t, postgres);
  await database.read(
    (sql) => sql`create function wait_once() returns trigger language plpgsql as
      $$ begin if new.value = 1 then perform pg_sleep(3600); end if; return null; end $$`,
  );
  await database.read(
    (sql) => sql`create constraint trigger wait_once after update on counter
      deferrable initially deferred for each row execute function wait_once()`,
  );
  const attempts = { made: 0 };
  const written = increment(database, attempts);
  await endConnection(postgres, 'PgSleep');
  await endConnection(postgres, 'PgSleep');
  await other.read((sql) => sql`drop trigger wait_once on counter`);
  assert.equal(await written, 1);
  assert.deepEqual([await valueOf(), attempts.made >= 2], [1, true]);
});

test('a write whose connection is lost after it was committed is not done again', async (t) => {
  const postgres = await startPostgres(t);
  if (!postgres) return t.skip('skipped: no PostgreSQL');
  const { database, valueOf } = await openCounter(t, postgres);
  await holdAnswers(postgres);
  const attempts = { made: 0 };
  const written = increment(database, attempts);
  await loseHeldAnswer(postgres);
  assert.equal(await written, 1);
  assert.equal(await valueOf(), 1);
});

test('a server that is away for a moment is waited for, and one that stays away is a problem to try again', async (t) => {
  const postgres = await startPostgres(t);
  if (!postgres) return t.skip('skipped: no PostgreSQL');
  const options = newSchema(postgres, []);
  const database = new PostgresDatabase(options);
  t.after(() => database.close());
  const ask = () => database.read((sql) => sql<{ n: number }[]>`select 1 as n`);
  await ask();
  await postgres.kill();
  const asked = ask();
  await postgres.start();
  assert.deepEqual([...(await asked)], [{ n: 1 }]);
  await postgres.kill();
  const isTryAgain = (error: unknown) => error instanceof Problem && error.code === 'try-again';
  await assert.rejects(ask(), isTryAgain);
  const beganMs = performance.now();
  await assert.rejects(ask(), isTryAgain);
  t.diagnostic(`the second question was answered after ${Math.round(performance.now() - beganMs)} ms`);
});

test('a connection that was ended while nobody used it is not given to the next caller', async (t) => {
  const postgres = await server();
  if (!postgres) return t.skip('skipped: no PostgreSQL');
  const { database, other, valueOf } = await openCounter(t, postgres);
  const [row] = await database.read((sql) => sql<{ pid: number }[]>`select pg_backend_pid() as pid`);
  await other.read((sql) => sql`select pg_terminate_backend(${row?.pid})`);
  const isThere = () =>
    other
      .read((sql) => sql`select pid from pg_stat_activity where pid = ${row?.pid}`)
      .then(({ count }) => count > 0);
  while (await isThere()) await pause(10);
  const attempts = { made: 0 };
  await increment(database, attempts);
  assert.deepEqual([await valueOf(), attempts.made], [1, 1]);
});
