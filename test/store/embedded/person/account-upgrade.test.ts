/** accounts.db of versions in which there were users of the API, and no people. */
import assert from 'node:assert/strict';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { openAccountStore } from '../../../../src/store/embedded/account-store.ts';
import { openPersonStores } from '../../../../src/store/embedded/person/open-person-stores.ts';
import { keyVault, openServerSecret } from '../../../../src/store/key-vault.ts';
import { author, newUser } from '../../../conformance/new-user.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const migrations = join(import.meta.dirname, '../../../../src/store/embedded/migrations/accounts');
const earlier = ['0001-accounts.sql', '0002-tenants.sql'];

/** The same rows, in the tables of then. */
async function oldAccounts(t: TestContext): Promise<{ readonly directory: string; readonly apiKey: string }> {
  const directory = temporaryDirectory(t);
  const vault = keyVault(openServerSecret(directory, ''));
  const store = openAccountStore(directory, vault);
  const user = newUser('ada');
  await store.createUser(user, [], author);
  await store.close();
  const file = join(directory, 'accounts.db');
  const rows = new Sqlite(file);
  const kept = ['account', 'product_grant', 'user', 'audit'].map(
    (table) => [table, rows.prepare(`select * from ${table}`).all() as Record<string, unknown>[]] as const,
  );
  rows.close();
  for (const part of globSync('accounts.db*', { cwd: directory })) rmSync(join(directory, part));
  const database = new Sqlite(file);
  database.exec('create table migration (number integer primary key, file text not null) strict');
  for (const [index, name] of earlier.entries()) {
    database.exec(readFileSync(join(migrations, name), 'utf8'));
    database.prepare('insert into migration values (?, ?)').run(index + 1, name);
  }
  for (const [table, all] of kept) {
    const columns = (database.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
    const insert = database.prepare(
      `insert into ${table} (${columns.join()}) values (${columns.map((column) => `:${column}`).join()})`,
    );
    for (const row of all) insert.run(row);
  }
  database.close();
  return { directory, apiKey: user.apiKey };
}

test('users, keys and the audit log of before people existed stay, and people join them', async (t) => {
  const { directory, apiKey } = await oldAccounts(t);
  const vault = keyVault(openServerSecret(directory, ''));
  const accounts = openAccountStore(directory, vault);
  t.after(() => accounts.close());
  const { people, sessions, signOn } = openPersonStores(directory, vault);
  t.after(() => Promise.all([people.close(), sessions.close(), signOn.close()]));
  const caller = await accounts.findByUsername('ada');
  assert.equal(caller?.user.username, 'ada');
  assert.deepEqual(await accounts.findByKey(apiKey), caller);
  assert.equal((await accounts.checkAudit()).brokenAt, undefined);
  assert.deepEqual(await people.listPeople({ limit: 10 }), []);
  // The person of the same name and account is the same one.
  const account = caller?.account.name ?? '';
  const { person } = await people.createPerson({ account, name: 'ada', permissions: ['read'] }, author);
  const tokenDigest = 'd'.repeat(64);
  const given = { personId: person.id, tokenDigest, address: '127.0.0.1', agent: 'test', method: 'test' };
  await sessions.createSession(given, author);
  assert.equal((await accounts.checkAudit()).brokenAt, undefined);
});
