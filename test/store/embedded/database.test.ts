import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { type Database, openDatabase, write } from '../../../src/store/embedded/database.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { startWorkers } from '../../harness/workers/start-store-workers.ts';

const migrations = join(import.meta.dirname, '../../../src/store/embedded/migrations');
const names = ['accounts', 'usage'] as const;

function tablesOf(database: Database): unknown[] {
  return database.prepare("select name from sqlite_schema where type = 'table' order by name").pluck().all();
}

function contentOf(database: Database): unknown {
  const schema = database.prepare('select type, name, sql from sqlite_schema order by type, name').all();
  return { schema, applied: database.prepare('select * from migration').all() };
}

function openPlain(t: TestContext, path: string): Database {
  const database = new Sqlite(path);
  t.after(() => database.close());
  return database;
}

for (const name of names) {
  test(`${name}: a new database has every migration, in the order of the files and numbered from 1`, (t) => {
    const database = openDatabase(join(temporaryDirectory(t), 'new.db'), name, 'full');
    t.after(() => database.close());
    const files = readdirSync(join(migrations, name)).sort();
    assert.deepEqual(
      database.prepare('select number, file from migration order by number').all(),
      files.map((file, index) => ({ number: index + 1, file })),
    );
    assert.ok(files.every((file, index) => file.startsWith(`${String(index + 1).padStart(4, '0')}-`)));
  });

  test(`${name}: opening a second time changes nothing`, (t) => {
    const path = join(temporaryDirectory(t), 'twice.db');
    const first = openDatabase(path, name, 'full');
    t.after(() => first.close());
    const before = contentOf(first);
    const version = first.pragma('schema_version');
    const second = openDatabase(path, name, 'full');
    t.after(() => second.close());
    assert.deepEqual(contentOf(second), before);
    assert.deepEqual(second.pragma('schema_version'), version);
  });

  test(`${name}: a database written by a newer version is refused with a message that says so, and not changed`, (t) => {
    const path = join(temporaryDirectory(t), 'newer.db');
    openDatabase(path, name, 'full').close();
    const file = openPlain(t, path);
    file.exec("insert into migration values (99, '0099-of-the-future.sql')");
    const before = contentOf(file);
    assert.throws(() => openDatabase(path, name, 'full'), {
      message: `${path} was written by a newer Nameglass (migration 99); upgrade this one`,
    });
    assert.deepEqual(contentOf(file), before);
  });
}

test('a migration that fails halfway is rolled back and not recorded', (t) => {
  const path = join(temporaryDirectory(t), 'clash.db');
  const file = openPlain(t, path);
  // The last of the tables that the first migration makes.
  file.exec('create table claim (mine)');
  assert.throws(() => openDatabase(path, 'usage', 'normal'), /table claim already exists/);
  assert.deepEqual(tablesOf(file), ['claim', 'migration']);
  assert.deepEqual(file.prepare('select * from migration').all(), []);
});

const usageTables = [
  'bucket',
  'claim',
  'daily_use',
  'grant_log',
  'key_use',
  'mark',
  'migration',
  'tally',
  'window_count',
];

test('a failed migration runs at the next opening once its obstacle is gone', (t) => {
  const path = join(temporaryDirectory(t), 'clash.db');
  const file = openPlain(t, path);
  file.exec('create table claim (mine)');
  assert.throws(() => openDatabase(path, 'usage', 'normal'));
  file.exec('drop table claim');
  const database = openDatabase(path, 'usage', 'normal');
  t.after(() => database.close());
  assert.deepEqual(tablesOf(database), usageTables);
});

test('the accounts database is synced at every commit, with foreign keys and a write-ahead log', (t) => {
  const database = openDatabase(join(temporaryDirectory(t), 'a.db'), 'accounts', 'full');
  t.after(() => database.close());
  const pragma = (name: string) => database.pragma(name, { simple: true });
  assert.deepEqual([pragma('synchronous'), pragma('foreign_keys'), pragma('journal_mode')], [2, 1, 'wal']);
});

test('a process that opens a database while another writes it waits for the other', async (t) => {
  const [directory, [other]] = [temporaryDirectory(t), await startWorkers(t, 1)];
  assert.equal(await other?.run({ task: 'make', directory, file: 'usage.db', forMs: 200 }), 'started');
  const database = openDatabase(join(directory, 'usage.db'), 'usage', 'normal');
  t.after(() => database.close());
  assert.deepEqual(tablesOf(database), usageTables);
});

test('four processes that open a new directory concurrently all succeed', async (t) => {
  const workers = await startWorkers(t, 4);
  for (let round = 0; round < 20; round += 1) {
    const directory = join(temporaryDirectory(t), 'data');
    const opened = await Promise.all(workers.map((worker) => worker.run({ task: 'open', directory })));
    assert.deepEqual(opened, ['opened', 'opened', 'opened', 'opened']);
  }
});

function damagedDatabase(t: TestContext): { database: Database; path: string } {
  const path = join(temporaryDirectory(t), 'usage.db');
  const made = openDatabase(path, 'usage', 'normal');
  const put = made.prepare('insert into mark (name, text) values (?, ?)');
  for (let number = 0; number < 100; number += 1) put.run(`mark ${number}`, 'x'.repeat(500));
  const root = made.prepare("select rootpage from sqlite_schema where name = 'mark'").pluck().get() as number;
  made.close();
  const bytes = readFileSync(path);
  bytes.fill(7, (root - 1) * 4096, root * 4096);
  writeFileSync(path, bytes);
  const database = openDatabase(path, 'usage', 'normal');
  t.after(() => database.close());
  return { database, path };
}

const uses: Readonly<Record<string, (database: Database) => unknown>> = {
  get: (database) => database.prepare('select text from mark where name = ?').get('mark 1'),
  all: (database) => database.prepare('select * from mark').all(),
  run: (database) => database.prepare("delete from mark where name = 'mark 1'").run(),
  iterate: (database) => [...database.prepare('select * from mark').iterate()],
  exec: (database) => database.exec("delete from mark where name = 'mark 1'"),
  'a transaction': (database) => write(database, () => database.prepare('select * from mark').all()),
};

for (const [use, work] of Object.entries(uses)) {
  test(`damage found by ${use} is an error that names the file`, async (t) => {
    const { database, path } = damagedDatabase(t);
    await assert.rejects(async () => work(database), {
      name: 'DamagedData',
      file: path,
      problem: 'database disk image is malformed',
    });
  });
}

test('a file that is no database is an error that names it, and is not changed', (t) => {
  const path = join(temporaryDirectory(t), 'usage.db');
  writeFileSync(path, 'no database '.repeat(1000));
  assert.throws(() => openDatabase(path, 'usage', 'normal'), { name: 'DamagedData', file: path });
  assert.equal(readFileSync(path, 'utf8'), 'no database '.repeat(1000));
});

test('any other error of SQLite names the file and keeps its code', (t) => {
  const path = join(temporaryDirectory(t), 'usage.db');
  const database = openDatabase(path, 'usage', 'normal');
  t.after(() => database.close());
  const put = database.prepare("insert into mark (name, text) values ('one', 'x')");
  put.run();
  assert.throws(() => put.run(), {
    code: 'SQLITE_CONSTRAINT_PRIMARYKEY',
    message: `${path}: UNIQUE constraint failed: mark.name`,
  });
  assert.throws(() => database.prepare('select absent').get(), {
    message: `${path}: no such column: absent`,
  });
});

test('a database and its log are accessible to their owner only, whatever the umask', (t) => {
  const directory = temporaryDirectory(t);
  const umask = process.umask(0);
  t.after(() => process.umask(umask));
  const database = openDatabase(join(directory, 'usage.db'), 'usage', 'normal');
  t.after(() => database.close());
  const files = readdirSync(directory);
  assert.deepEqual(files.sort(), ['usage.db', 'usage.db-crc', 'usage.db-shm', 'usage.db-wal']);
  for (const file of files) assert.equal(statSync(join(directory, file)).mode & 0o077, 0, file);
});

test('a statement is compiled with its first use, in the form that was asked for before or after', (t) => {
  const database = openDatabase(join(temporaryDirectory(t), 'usage.db'), 'usage', 'normal');
  t.after(() => database.close());
  const read = database.prepare('select word from later').pluck();
  database.exec("create table later (word text); insert into later values ('here')");
  assert.equal(read.get(), 'here');
  assert.deepEqual(read.raw().get(), ['here']);
  assert.deepEqual([...read.iterate()], [['here']]);
});
