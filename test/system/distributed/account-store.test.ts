import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { AccountStore } from '../../../src/store/account-store.ts';
import { openAccountStore } from '../../../src/store/distributed/account/account-store.ts';
import {
  type DatabaseOptions,
  PostgresDatabase,
  type Sql,
} from '../../../src/store/distributed/postgres/database.ts';
import { keyVault } from '../../../src/store/key-vault.ts';
import { accountStoreConformance } from '../../conformance/account-store.ts';
import { author, newUser } from '../../conformance/new-user.ts';
import { canaryBatchKey, canaryKey } from '../../harness/artifacts.ts';
import { newSchema, type PostgresServer, startPostgres } from '../../harness/engines/postgres.ts';
import { fileScope } from '../../harness/test-scope.ts';

const tampering: Record<string, string> = {
  'an entry that was changed': "update audit set actor = 'eve' where number = 2",
  'an entry that was deleted': 'delete from audit where number = 2',
  'the newest entries that were deleted': 'delete from audit where number >= 2',
};

const vault = keyVault(Buffer.alloc(32, 7));
class CountingDatabase extends PostgresDatabase {
  reads = 0;

  override read<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    this.reads += 1;
    return super.read(work);
  }
}

/** A node: a pool of its own. */
function open(t: TestContext, options: DatabaseOptions, accountCacheMs = 0) {
  const database = new PostgresDatabase(options);
  t.after(() => database.close());
  return { database, store: openAccountStore(database, vault, { accountCacheMs }) };
}

function twoNodes(t: TestContext, server: PostgresServer) {
  const options = newSchema(server, ['accounts', 'people']);
  return [open(t, options), open(t, options)] as const;
}

function severalNodes(server: PostgresServer): void {
  test('of many who create users whose names differ by case alone on two nodes at once, one succeeds', async (t) => {
    const nodes = twoNodes(t, server);
    const names = ['ada', 'Ada', 'aDa', 'adA', 'ADA', 'ada'];
    const outcomes = await Promise.allSettled(
      names.map((name, index) =>
        (nodes[index % 2] as (typeof nodes)[0]).store.createUser(newUser(name), [], author),
      ),
    );
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason.code] : [],
    );
    assert.deepEqual(
      refused,
      Array.from({ length: 5 }, () => 'already-exists'),
    );
    assert.equal((await nodes[0].store.listUsers({ limit: 10 })).length, 1);
  });

  test('AUTH-23 a key that is reset or removed on one node fails on the other in the very next call', async (t) => {
    const [one, other] = twoNodes(t, server).map(({ store }) => store) as [AccountStore, AccountStore];
    await one.createUser(newUser('boss', { account: 'acme' }), [], author);
    for (let round = 0; round < 20; round += 1) {
      const batchKey = canaryBatchKey();
      const user = newUser(`ada${round}`, { account: 'acme', batch: { key: batchKey, channels: 'all' } });
      await one.createUser(user, [], author);
      assert.equal((await other.findByKey(user.apiKey))?.user.username, user.username);
      const next = canaryKey();
      await one.resetKey(user.username, next, author);
      assert.equal(await other.findByKey(user.apiKey), undefined);
      assert.equal((await other.findByKey(next))?.user.username, user.username);
      await one.removeUser(user.username, author);
      const found = [
        other.findByKey(next),
        other.findByBatchKey(batchKey),
        other.findSigningKey(user.username),
      ];
      assert.deepEqual(await Promise.all(found), [undefined, undefined, undefined]);
    }
  });

  test('lookups that arrive together are one question, and each gets its own answer', async (t) => {
    const database = new CountingDatabase(newSchema(server, ['accounts', 'people']));
    t.after(() => database.close());
    const store = openAccountStore(database, vault);
    const users = ['ada', 'bob', 'eve'].map((name) => newUser(name));
    for (const user of users) await store.createUser(user, [], author);
    database.reads = 0;
    const keys = [...users, ...users].map(({ apiKey }) => apiKey);
    const found = await Promise.all([...keys, canaryKey()].map((key) => store.findByKey(key)));
    assert.deepEqual(
      found.map((caller) => caller?.user.username),
      ['ada', 'bob', 'eve', 'ada', 'bob', 'eve', undefined],
    );
    assert.equal(database.reads, 1);
  });

  test('keys are found while more changes than a node has connections wait for those of another node', async (t) => {
    const [one, other] = twoNodes(t, server);
    const user = newUser('ada');
    await one.store.createUser(user, [], author);
    const changes = await other.database.write(async (sql) => {
      await sql`select from audit_head for update`;
      const waiting = Array.from({ length: 20 }, () =>
        one.store.appendAudit({ action: 'note.add', account: 'ada' }, author),
      );
      assert.equal((await one.store.findByKey(user.apiKey))?.user.username, 'ada');
      return { waiting };
    });
    await Promise.all(changes.waiting);
    assert.deepEqual(await other.store.checkAudit(), { checked: 22 });
  });

  test('an operator may have keys remembered; a change by the same node is seen by it at once', async (t) => {
    const options = newSchema(server, ['accounts', 'people']);
    const [plain, remembering] = [open(t, options).store, open(t, options, 60_000).store];
    const user = newUser('ada');
    await plain.createUser(user, [], author);
    assert.equal((await remembering.findByKey(user.apiKey))?.account.active, true);
    await plain.setAccountActive('ada', false, author);
    assert.equal((await remembering.findByKey(user.apiKey))?.account.active, true);
    await remembering.ownChannels('ada', [42], author);
    assert.equal((await remembering.findByKey(user.apiKey))?.account.active, false);
    await remembering.resetKey('ada', canaryKey(), author);
    assert.equal(await remembering.findByKey(user.apiKey), undefined);
  });

  test('an account has exactly usersMax users and one API owner after 60 creations on two nodes at once', async (t) => {
    const nodes = twoNodes(t, server);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) => {
        const user = newUser(`user${index}`, { account: 'acme', usersMax: 17 });
        return (nodes[index % 2] as (typeof nodes)[0]).store.createUser(user, [], author);
      }),
    );
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason.code] : [],
    );
    assert.deepEqual(
      refused,
      Array.from({ length: 43 }, () => 'permission-denied'),
    );
    const users = await nodes[0].store.listUsers({ limit: 100 });
    assert.deepEqual([users.length, users.filter(({ user }) => user.apiOwner).length], [17, 1]);
  });

  test('the audit chain is intact after 200 changes on two nodes at once', async (t) => {
    const nodes = twoNodes(t, server).map(({ store }) => store);
    await nodes[0]?.createUser(newUser('ada'), [], author);
    await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const store = nodes[index % 2] as AccountStore;
        if (index % 4 < 2) await store.appendAudit({ action: 'note.add', account: 'ada' }, author);
        else await store.setAccountActive('ada', index % 8 < 4, author);
      }),
    );
    for (const store of nodes) assert.deepEqual(await store.checkAudit(), { checked: 202 });
    const numbers = (await nodes[0]?.listAudit({ limit: 300 }))?.map(({ number }) => number);
    assert.deepEqual(
      numbers,
      Array.from({ length: 202 }, (_, index) => 202 - index),
    );
  });

  test('a name with a NUL character, which PostgreSQL has no text for, is unknown', async (t) => {
    const [{ store }] = twoNodes(t, server);
    assert.equal(await store.findByUsername('a\0b'), undefined);
    assert.equal(await store.findAccount('a\0b'), undefined);
  });
}

function auditLog(server: PostgresServer): void {
  async function threeEntries(t: TestContext) {
    const [{ store, database }] = twoNodes(t, server);
    await store.createUser(newUser('ada'), [], author);
    await store.setAccountActive('ada', false, author);
    return { store, run: (statement: string) => database.read((sql) => sql.unsafe(statement)) };
  }

  for (const [what, statement] of Object.entries(tampering)) {
    test(`${what} in the database is detected, even after others were written`, async (t) => {
      const { store, run } = await threeEntries(t);
      await run('drop trigger audit_is_append_only on audit');
      await run(statement);
      await store.setAccountActive('ada', true, author);
      assert.equal((await store.checkAudit()).brokenAt, 2);
    });
  }

  test('an entry that was inserted into the database with a wrong hash is detected', async (t) => {
    const { store, run } = await threeEntries(t);
    await run("insert into audit values (4, 1, 'eve', 'key.reset', 'ada', 'ada', '{}', '')");
    assert.equal((await store.checkAudit()).brokenAt, 4);
  });

  test('the table of the audit log refuses changes, deletions and truncation', async (t) => {
    const { store, run } = await threeEntries(t);
    for (const statement of ["update audit set actor = 'eve'", 'delete from audit', 'truncate audit'])
      await assert.rejects(run(statement), /the audit log is append-only/);
    assert.deepEqual(await store.checkAudit(), { checked: 3 });
  });

  test('a sealed key that was moved to another user does not open, and no key is stored as it is', async (t) => {
    const { store, run } = await threeEntries(t);
    const bob = newUser('bob');
    await store.createUser(bob, [], author);
    await run(
      "update api_user set key_sealed = (select key_sealed from api_user where username = 'ada') where username = 'bob'",
    );
    await assert.rejects(store.findSigningKey('bob'));
    const rows = await run('select * from api_user');
    assert.doesNotMatch(JSON.stringify(rows), new RegExp(bob.apiKey));
  });
}

const postgres = await startPostgres(fileScope());
if (postgres) {
  accountStoreConformance('the distributed adapter', (t) => {
    const options = newSchema(postgres, ['accounts', 'people']);
    return () => open(t, options).store;
  });
  severalNodes(postgres);
  auditLog(postgres);
} else test('the distributed account store', { skip: 'skipped: no PostgreSQL' });
