import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { keyDigest } from '../../../src/model/account/api-key.ts';
import type { AccountStore } from '../../../src/store/account-store.ts';
import { openAccountStore } from '../../../src/store/embedded/account-store.ts';
import { keyVault, openServerSecret } from '../../../src/store/key-vault.ts';
import { accountStoreConformance } from '../../conformance/account-store.ts';
import { author, newUser } from '../../conformance/new-user.ts';
import { canaryBatchKey, canaryKey } from '../../harness/artifacts.ts';
import { nameglass } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const resetter = new URL('../../harness/workers/key-reset-worker.ts', import.meta.url);

function open(t: TestContext, directory: string): AccountStore {
  const store = openAccountStore(directory, keyVault(openServerSecret(directory, '')));
  t.after(() => store.close());
  return store;
}

/** Blocks the whole process, as heavy work does. */
function stopFor(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Opens the database file directly, bypassing the store. */
function openFile(t: TestContext, directory: string): Sqlite.Database {
  const file = new Sqlite(join(directory, 'accounts.db'));
  t.after(() => file.close());
  return file;
}

accountStoreConformance('the embedded adapter', (t) => {
  const directory = temporaryDirectory(t);
  return () => open(t, directory);
});

async function threeEntries(t: TestContext) {
  const directory = temporaryDirectory(t);
  const store = open(t, directory);
  await store.createUser(newUser('ada'), [], author);
  await store.setAccountActive('ada', false, author);
  return { store, directory, file: openFile(t, directory) };
}

const changes: Record<string, string> = {
  at_ms: 'update audit set at_ms = at_ms + 1 where number = 2',
  actor: "update audit set actor = 'eve' where number = 2",
  action: "update audit set action = 'key.reset' where number = 2",
  account: "update audit set account = 'bob' where number = 2",
  username: 'update audit set username = null where number = 2',
  detail: `update audit set detail = '{"permissions":["admin"]}' where number = 2`,
  hash: 'update audit set hash = zeroblob(32) where number = 2',
};
for (const [column, statement] of Object.entries(changes)) {
  test(`an audit entry whose ${column} was changed in the file is detected`, async (t) => {
    const { store, file } = await threeEntries(t);
    file.exec('drop trigger audit_is_append_only_update');
    assert.equal(file.prepare(statement).run().changes, 1);
    assert.equal((await store.checkAudit()).brokenAt, 2);
  });
}

test('an audit entry that was deleted from the file is detected', async (t) => {
  const { store, file } = await threeEntries(t);
  file.exec('drop trigger audit_is_append_only_delete; delete from audit where number = 2');
  assert.equal((await store.checkAudit()).brokenAt, 2);
});

test('truncation of the newest audit entries is detected, even after others were written', async (t) => {
  const { store, file } = await threeEntries(t);
  file.exec('drop trigger audit_is_append_only_delete; delete from audit where number >= 2');
  assert.equal((await store.checkAudit()).brokenAt, 2);
  await store.createUser(newUser('late'), [], author);
  await store.createUser(newUser('later'), [], author);
  assert.equal((await store.checkAudit()).brokenAt, 2);
});

test('an audit entry inserted into the file with a wrong hash is detected', async (t) => {
  const { store, file } = await threeEntries(t);
  file.exec("insert into audit values (4, 1, 'eve', 'key.reset', 'ada', 'ada', '{}', zeroblob(32))");
  assert.equal((await store.checkAudit()).brokenAt, 4);
});

for (const statement of [
  "update audit set actor = 'eve' where number = 1",
  'delete from audit where number = 1',
]) {
  test(`the audit table refuses "${statement}"`, async (t) => {
    const { file, store } = await threeEntries(t);
    const before = await store.listAudit({ limit: 10 });
    assert.throws(() => file.exec(statement), /the audit log is append-only/);
    assert.deepEqual(await store.listAudit({ limit: 10 }), before);
  });
}

test('the audit table refuses to replace an entry', async (t) => {
  const { file, store } = await threeEntries(t);
  const before = await store.listAudit({ limit: 10 });
  assert.throws(() =>
    file.exec("insert or replace into audit values (2, 1, 'eve', 'x', 'ada', null, '{}', zeroblob(32))"),
  );
  assert.deepEqual(await store.listAudit({ limit: 10 }), before);
});

test('neither the database file nor its write-ahead log contains a key', async (t) => {
  const directory = temporaryDirectory(t);
  const store = open(t, directory);
  const [first, second, batchKey] = [canaryKey(), canaryKey(), canaryBatchKey()];
  const batch = { key: batchKey, channels: 'all' } as const;
  await store.createUser(newUser('ada', { apiKey: first, batch }), [], author);
  await store.resetKey('ada', second, author);
  const holds = (text: string) =>
    readdirSync(directory).filter((name) => readFileSync(join(directory, name)).includes(text));
  assert.deepEqual(holds(keyDigest(second)), ['accounts.db-wal']);
  openFile(t, directory).pragma('wal_checkpoint(full)');
  assert.ok(holds(keyDigest(second)).includes('accounts.db'));
  for (const key of [first, second, batchKey]) {
    assert.deepEqual(holds(key), []);
    assert.deepEqual(holds(Buffer.from(key).toString('base64').slice(0, -4)), []);
    assert.deepEqual(holds(Buffer.from(key).toString('hex')), []);
  }
});

test("a sealed key that was moved to another user's row does not open", async (t) => {
  const directory = temporaryDirectory(t);
  const [store, ada] = [open(t, directory), newUser('ada')];
  await store.createUser(ada, [], author);
  await store.createUser(newUser('bob'), [], author);
  openFile(t, directory).exec(
    "update user set key_sealed = (select key_sealed from user where username = 'ada') where username = 'bob'",
  );
  const other = open(t, directory);
  await assert.rejects(other.findSigningKey('bob'));
  assert.equal(await other.findSigningKey('ada'), ada.apiKey);
});

test('the keys of a copy of the database do not open with another secret', async (t) => {
  const [directory, elsewhere] = [temporaryDirectory(t), temporaryDirectory(t)];
  const [store, ada] = [open(t, directory), newUser('ada')];
  await store.createUser(ada, [], author);
  openFile(t, directory).pragma('wal_checkpoint(full)');
  openServerSecret(elsewhere, '');
  writeFileSync(join(elsewhere, 'accounts.db'), readFileSync(join(directory, 'accounts.db')));
  const copy = open(t, elsewhere);
  assert.equal((await copy.findByUsername('ada'))?.user.username, 'ada');
  await assert.rejects(copy.findSigningKey('ada'));
});

test('a data directory created by the store is accessible to its owner only', async (t) => {
  const directory = join(temporaryDirectory(t), 'data');
  open(t, directory);
  assert.equal(statSync(directory).mode & 0o777, 0o700);
});

test('AUTH-23 a key reset on the command line is invalid at the next lookup of this process', async (t) => {
  const directory = temporaryDirectory(t);
  const [store, ada] = [open(t, directory), newUser('ada')];
  await store.createUser(ada, [], author);
  assert.equal((await store.findByKey(ada.apiKey))?.user.username, 'ada');
  assert.equal(await store.findSigningKey('ada'), ada.apiKey);
  const { code, out } = await nameglass(['key', 'reset', 'ada', '--data', directory, '--json']);
  assert.equal(code, 0);
  const { api_key: newKey } = JSON.parse(out) as { api_key: string };
  assert.equal(await store.findByKey(ada.apiKey), undefined);
  assert.equal((await store.findByKey(newKey))?.user.username, 'ada');
  assert.equal(await store.findSigningKey('ada'), newKey);
});

test('AUTH-23 a request that arrives after a reset in another process is refused the old key, however busy this process was', async (t) => {
  const directory = temporaryDirectory(t);
  const [store, ada] = [open(t, directory), newUser('ada')];
  await store.createUser(ada, [], author);
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const worker = fork(resetter, [directory, 'ada', canaryKey(), String(port)], {
    // Not those of the runner, or it would report as a test.
    execArgv: [],
  });
  t.after(() => worker.kill('SIGKILL'));
  const [socket] = (await once(server, 'connection')) as [Socket];
  await once(socket, 'data');

  const foundByRequest = new Promise((resolve) => {
    socket.once('data', () => void store.findByKey(ada.apiKey).then(resolve));
  });
  // The continuation of a charge or a claim runs here too, and looks up its user.
  setImmediate(() => {
    void store.findByKey(ada.apiKey);
    writeFileSync(join(directory, 'go'), '');
    for (let waits = 0; waits < 1000 && !existsSync(join(directory, 'done')); waits += 1) stopFor(10);
  });
  assert.equal(await foundByRequest, undefined);
});

/** accounts.db as version 0.1.0 left it, with these users: name, account, permissions. */
function oldAccounts(t: TestContext, users: readonly (readonly [string, string, string[]])[]): string {
  const directory = temporaryDirectory(t);
  const migrations = join(import.meta.dirname, '../../../src/store/embedded/migrations/accounts');
  openServerSecret(directory, '');
  const file = openFile(t, directory);
  file.exec('create table migration (number integer primary key, file text not null) strict');
  file.exec(readFileSync(join(migrations, '0001-accounts.sql'), 'utf8'));
  file.exec("insert into migration values (1, '0001-accounts.sql')");
  const addAccount = file.prepare('insert or ignore into account values (?, ?, 1, 0)');
  const addUser = file.prepare(
    `insert into user values (?, ?, ?, ?, 0, 0, ?, zeroblob(8), null, null, '"all"', null)`,
  );
  for (const [username, account, permissions] of users) {
    addAccount.run(`id-${account}`, account);
    addUser.run(
      `id-${username}`,
      `id-${account}`,
      username,
      JSON.stringify(permissions),
      `digest ${username}`,
    );
  }
  return directory;
}

test('users of 0.1.0 who could only ingest keep reading, and everybody else has the permissions as before', async (t) => {
  const store = open(
    t,
    oldAccounts(t, [
      ['producer', 'acme', ['ingest']],
      ['analyst', 'acme', ['triage', 'ingest']],
      ['reader', 'acme', ['read']],
      ['admin', 'acme', ['admin']],
    ]),
  );
  const permissions = async (username: string) => (await store.findByUsername(username))?.user.permissions;
  assert.deepEqual(await permissions('producer'), ['ingest', 'read']);
  assert.deepEqual(await permissions('analyst'), ['triage', 'ingest']);
  assert.deepEqual([await permissions('reader'), await permissions('admin')], [['read'], ['admin']]);
});

test('usernames of 0.1.0 that differ by case alone stay separate users, and no further one is accepted', async (t) => {
  const store = open(
    t,
    oldAccounts(t, [
      ['CaseUser', 'a', ['read']],
      ['caseuser', 'b', ['admin']],
    ]),
  );
  const accountOf = async (username: string) => (await store.findByUsername(username))?.account.name;
  assert.deepEqual([await accountOf('CaseUser'), await accountOf('caseuser')], ['a', 'b']);
  const third = () => store.createUser(newUser('CASEUSER'), [], author);
  await assert.rejects(third(), { code: 'already-exists' });
  await store.removeUser('CaseUser', author);
  await assert.rejects(third(), { code: 'already-exists' });
  assert.equal(await accountOf('caseuser'), 'b');
  await store.removeUser('caseuser', author);
  await third();
});

test('the only account of 0.1.0 owns every channel but the built-in ones; of several accounts none owns any', async (t) => {
  const alone = open(t, oldAccounts(t, [['producer', 'acme', ['ingest']]]));
  const owners = await alone.channelOwners();
  assert.deepEqual(
    [owners.size, owners.get(42), owners.get(255), owners.get(212)],
    [248, 'acme', 'acme', undefined],
  );
  const several = oldAccounts(t, [
    ['one', 'a', ['ingest']],
    ['two', 'b', ['ingest']],
  ]);
  assert.equal((await open(t, several).channelOwners()).size, 0);
});

test('keys of earlier versions work from everywhere, with all products, and know who made them where the log says it', async (t) => {
  const directory = oldAccounts(t, [
    ['made', 'acme', ['read']],
    ['unknown', 'acme', ['read']],
  ]);
  const file = openFile(t, directory);
  const add = file.prepare('insert into audit values (?, 1, ?, ?, ?, ?, ?, zeroblob(32))');
  add.run(1, 'eve', 'user.create', 'acme', 'made', '{}');
  add.run(2, 'ada', 'user.create', 'acme', 'made', '{}');
  add.run(3, 'bob', 'key.reset', 'acme', 'made', '{}');
  const store = open(t, directory);
  const [made, unknown] = [await store.findByUsername('made'), await store.findByUsername('unknown')];
  assert.deepEqual([made?.user.createdBy, unknown?.user.createdBy], ['ada', undefined]);
  assert.deepEqual([made?.user.keyAddresses, made?.user.products], [undefined, undefined]);
});
