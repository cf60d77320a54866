/** Checksums of pages: what they find, and what they do not mistake for damage. */
import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { type Database, openDatabase, openForChecksums } from '../../../../src/store/embedded/database.ts';
import { checkPages, type PageCheck } from '../../../../src/store/embedded/page-checksums/check-pages.ts';
import { readLog } from '../../../../src/store/embedded/page-checksums/log-file.ts';
import { settleChecksums } from '../../../../src/store/embedded/page-checksums/settle-checksums.ts';
import { checkAtStart } from '../../../../src/store/embedded/verify/check-at-start.ts';
import { flipBit } from '../../../harness/damage.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const intact: PageCheck = { damages: [], notices: [], doubtful: [], unknown: [], hasChecksums: true };
const all = { bytesMax: Number.MAX_SAFE_INTEGER };

interface Sample {
  readonly data: string;
  readonly path: string;
}

function put(database: Database, count: number, text: string): void {
  const insert = database.prepare('insert or replace into mark (name, text) values (?, ?)');
  for (let number = 0; number < count; number += 1)
    insert.run(`mark ${number}`, `${text} ${'x'.repeat(400)}`);
}

function sample(t: TestContext): Sample {
  const data = temporaryDirectory(t);
  const path = join(data, 'usage.db');
  const database = openDatabase(path, 'usage', 'full');
  put(database, 300, 'first');
  database.close();
  return { data, path };
}

/** The files as a killed process leaves them, with later rows in the log. */
function killed(
  t: TestContext,
  change: (database: Database) => void = (database) => put(database, 30, 'later'),
): Sample {
  const { path } = sample(t);
  const database = openDatabase(path, 'usage', 'full');
  change(database);
  const data = temporaryDirectory(t);
  for (const file of ['usage.db', 'usage.db-wal', 'usage.db-crc'])
    copyFileSync(join(path, '..', file), join(data, file));
  database.close();
  return { data, path: join(data, 'usage.db') };
}

function textOf(path: string, name: string): unknown {
  const database = openDatabase(path, 'usage', 'full');
  try {
    return database.prepare('select text from mark where name = ?').pluck().get(name);
  } finally {
    database.close();
  }
}

test('every page of a closed database has its checksum', async (t) => {
  assert.deepEqual(await checkPages(sample(t).path), intact);
});

test('pages that were written by many checkpoints have the checksum of their latest content', async (t) => {
  const { path } = sample(t);
  const database = openDatabase(path, 'usage', 'full');
  for (let round = 0; round < 20; round += 1) put(database, 200, `round ${round}`);
  assert.ok(statSync(`${path}-wal`).size < 20 * 200 * 4096);
  database.close();
  assert.deepEqual(await checkPages(path), intact);
});

test('a database that has become smaller is intact', async (t) => {
  const { path } = sample(t);
  const database = openDatabase(path, 'usage', 'full');
  database.exec('delete from mark; vacuum');
  database.close();
  assert.deepEqual(await checkPages(path), intact);
});

test('each flip of a bit in a page is found, also where the checksum does not say which bit it was', async (t) => {
  const { path } = sample(t);
  for (let bit = 0; bit < 32; bit += 1) {
    flipBit(path, 4096 + 40 + (bit >> 3), bit & 7);
    const { damages } = await checkPages(path);
    assert.match(damages[0]?.problem ?? '', /flipped/);
    assert.ok([4096, 4096 + 40 + (bit >> 3)].includes(damages[0]?.offset ?? 0));
    flipBit(path, 4096 + 40 + (bit >> 3), bit & 7);
  }
});

test('a flipped bit in any page is named by its byte, and nothing starts', async (t) => {
  const { data, path } = sample(t);
  for (const [at, bit] of [
    [0, 0],
    [4092, 7],
    [4096, 3],
    [statSync(path).size - 4, 5],
  ] as const) {
    flipBit(path, at, bit);
    const problem = `bit ${bit} of this byte is flipped (page ${Math.floor(at / 4096) + 1})`;
    assert.deepEqual((await checkPages(path)).damages, [{ file: path, offset: at, problem }]);
    await assert.rejects(checkAtStart(data, all), { name: 'DamagedData', file: path, offset: at });
    flipBit(path, at, bit);
  }
  assert.deepEqual(await checkPages(path), intact);
});

test('a page that another program has written is named by its first byte, with the command that accepts it', async (t) => {
  const { data, path } = sample(t);
  const foreign = new Sqlite(path);
  foreign.exec("update mark set text = 'of another program' where name = 'mark 7'");
  foreign.close();
  const [damage] = (await checkPages(path)).damages;
  assert.match(damage?.problem ?? '', /^page \d+ is not what Nameglass has written$/);
  await assert.rejects(checkAtStart(data, all), /"nameglass verify databases --accept" records that/);
});

test('content that was accepted is intact, and stays what it is', async (t) => {
  const { data, path } = sample(t);
  const foreign = new Sqlite(path);
  foreign.exec("update mark set text = 'of another program' where name = 'mark 7'");
  foreign.close();
  assert.deepEqual(settleChecksums(path, { open: openForChecksums, check: 'integrity_check' }), []);
  assert.deepEqual(await checkPages(path), intact);
  await checkAtStart(data, all);
  assert.equal(textOf(path, 'mark 7'), 'of another program');
});

test('a database whose structure is damaged is not accepted', async (t) => {
  const { path } = sample(t);
  flipBit(path, 4096 * 3, 1);
  const before = await checkPages(path);
  assert.notDeepEqual(settleChecksums(path, { open: openForChecksums, check: 'integrity_check' }), []);
  assert.deepEqual((await checkPages(path)).damages, before.damages);
});

test('a database that a killed process left with its log is intact, and so is a flip in a page that is in the log', async (t) => {
  const { data, path } = killed(t);
  assert.deepEqual(await checkPages(path), intact);
  const [page] = readLog(path)?.checksums.keys() ?? [];
  flipBit(path, ((page as number) - 1) * 4096 + 10, 0);
  await checkAtStart(data, all);
  assert.match(String(textOf(path, 'mark 3')), /^later/);
});

test('a database that another program has shortened by copying the log of a killed process is intact', async (t) => {
  const { data, path } = killed(t, (database) => {
    database.exec("delete from mark where name <> 'mark 3'");
    database.exec('vacuum');
  });
  const bytes = statSync(path).size;
  const foreign = new Sqlite(path);
  foreign.prepare('select count(*) from mark').get();
  foreign.close();
  assert.ok(statSync(path).size < bytes);
  await checkAtStart(data, all);
  assert.match(String(textOf(path, 'mark 3')), /^first/);
  const { damages, doubtful } = await checkPages(path);
  assert.deepEqual({ damages, doubtful }, { damages: [], doubtful: [] });
  await checkAtStart(data, all);
});

test('pages that another program has added by copying the log of a killed process get their checksums at the next start', async (t) => {
  const { data, path } = killed(t, (database) => put(database, 3000, 'later'));
  const foreign = new Sqlite(path);
  foreign.prepare('select count(*) from mark').get();
  foreign.close();
  await checkAtStart(data, all);
  assert.match(String(textOf(path, 'mark 2999')), /^later/);
  assert.deepEqual(await checkPages(path), intact);
  flipBit(path, statSync(path).size - 100, 2);
  assert.equal((await checkPages(path)).damages.length, 1);
});

test('a flip in a page that is not in the log of a killed process is damage', async (t) => {
  const { path } = killed(t);
  const at = statSync(path).size - 100;
  flipBit(path, at, 2);
  assert.deepEqual(
    (await checkPages(path)).damages.map(({ offset }) => offset),
    [at],
  );
});

test('each flip in the log is named by its part, where SQLite would drop all transactions behind it', async (t) => {
  const { data, path } = killed(t);
  const log = `${path}-wal`;
  const frame = 32 + 4120;
  // In the header, a page number, a salt, a checksum, and a page.
  for (const [at, named] of [
    [13, 0],
    [frame + 3, frame],
    [frame + 11, frame],
    [frame + 18, frame],
    [frame + 24 + 1000, frame],
  ] as const) {
    flipBit(log, at, 4);
    const { damages } = await checkPages(path);
    assert.deepEqual(
      damages.map(({ file, offset }) => [file, offset]),
      [[log, named]],
    );
    await assert.rejects(checkAtStart(data, all), { name: 'DamagedData', file: log });
    flipBit(log, at, 4);
  }
  assert.deepEqual(await checkPages(path), intact);
});

test('a log that ends within a transaction is no damage', async (t) => {
  const { data, path } = killed(t);
  const log = `${path}-wal`;
  const { size } = statSync(log);
  for (const length of [size - 1, size - 4000, size - 4120]) {
    const torn = Buffer.alloc(length);
    const bytes = readFileSync(log);
    bytes.copy(torn, 0, 0, length);
    writeFileSync(log, torn);
    assert.deepEqual((await checkPages(path)).damages, []);
  }
  await checkAtStart(data, all);
});

test('transactions behind a part of the log that cannot be read are named, and the rest starts', async (t) => {
  const { data, path } = killed(t);
  const log = `${path}-wal`;
  const bytes = readFileSync(log);
  const begin = 32 + 4120 * 4 + 24;
  bytes.fill(0x5a, begin, begin + 512);
  writeFileSync(log, bytes);
  const faults: string[] = [];
  await checkAtStart(data, { ...all, onFault: (fault) => faults.push(fault) });
  assert.match(
    faults.join(),
    /usage\.db-wal at byte \d+: transactions from here on cannot be read and are lost/,
  );
});

test('a flip in the checksums is named and made good, and does not stop the database', async (t) => {
  const { data, path } = sample(t);
  const file = `${path}-crc`;
  for (let at = 0; at < statSync(file).size; at += 37) {
    flipBit(file, at, at % 8);
    const check = await checkPages(path);
    assert.deepEqual([check.damages, check.doubtful, check.notices.length], [[], [], 1], String(at));
    assert.equal(check.notices[0]?.file, file);
    await checkAtStart(data, all);
    assert.deepEqual(await checkPages(path), intact, String(at));
  }
});

test('checksums that another process is making at this moment are no damage', async (t) => {
  const { path } = sample(t);
  const file = `${path}-crc`;
  const bytes = readFileSync(file);
  for (const begun of [0, 40]) {
    writeFileSync(file, bytes.subarray(0, begun));
    const checked = checkPages(path);
    writeFileSync(file, bytes);
    assert.deepEqual((await checked).notices, []);
  }
});

test('a database of an earlier version gets its checksums at the start', async (t) => {
  const { data, path } = sample(t);
  rmSync(`${path}-crc`);
  assert.equal((await checkPages(path)).hasChecksums, false);
  await checkAtStart(data, all);
  assert.deepEqual(await checkPages(path), intact);
  flipBit(path, 5000, 1);
  assert.equal((await checkPages(path)).damages.length, 1);
});

test('a database of an earlier version whose structure is damaged gets none', async (t) => {
  const { data, path } = sample(t);
  rmSync(`${path}-crc`);
  flipBit(path, 4096 * 3, 1);
  await assert.rejects(checkAtStart(data, all), { name: 'DamagedData', file: path });
});

test('another program that copies the log of a killed process into the database is no damage', async (t) => {
  const { data, path } = killed(t);
  new Sqlite(path).exec('begin immediate; rollback').close();
  assert.equal(existsSync(`${path}-wal`), false);
  const check = await checkPages(path);
  assert.deepEqual(check.damages, []);
  assert.ok(check.doubtful.length > 0);
  const faults: string[] = [];
  await checkAtStart(data, { ...all, onFault: (fault) => faults.push(fault) });
  assert.match(faults.join(), /another program has written \d+ pages after a process was killed/);
  assert.deepEqual(await checkPages(path), intact);
  assert.match(String(textOf(path, 'mark 3')), /^later/);
});

test('a database that lost its last pages is damage', async (t) => {
  const { path } = sample(t);
  const pages = statSync(path).size / 4096;
  truncateSync(path, (pages - 2) * 4096);
  const problem = `the file ends here, and had ${pages} pages`;
  assert.deepEqual((await checkPages(path)).damages, [{ file: path, offset: (pages - 2) * 4096, problem }]);
});

test('two connections that close in any order leave every page with its checksum', async (t) => {
  const { path } = sample(t);
  const [one, two] = [openDatabase(path, 'usage', 'full'), openDatabase(path, 'usage', 'full')];
  put(one, 50, 'one');
  one.close();
  put(two, 50, 'two');
  assert.deepEqual((await checkPagesElsewhere(t, path)).damages, []);
  two.close();
  assert.deepEqual(await checkPages(path), intact);
});

/** On a copy: this process has the database open. */
async function checkPagesElsewhere(t: TestContext, path: string): Promise<PageCheck> {
  const copy = join(temporaryDirectory(t), 'usage.db');
  for (const suffix of ['', '-wal', '-crc']) copyFileSync(path + suffix, copy + suffix);
  return checkPages(copy);
}
