/** Changes of users. All have the head of the audit log locked, so nothing that they have read changes before they are committed. */
import type { Caller } from '../../../model/account/account.ts';
import { keyDigest, newId } from '../../../model/account/api-key.ts';
import { Problem } from '../../../model/problem.ts';
import type { ProductId } from '../../../model/product-catalogue.ts';
import { batchDigest, changedColumns, newUserRow } from '../../account/user-rows.ts';
import {
  createdDetail,
  noUser,
  noUserOfAccount,
  type PersonOfName,
  refuseOwner,
  refuseTaken,
  refuseTooMany,
  samePersonId,
  updatedDetail,
} from '../../account/user-rules.ts';
import type { Author, NewUser, UserChange } from '../../account-store.ts';
import type { KeyVault } from '../../key-vault.ts';
import type { Transaction } from '../postgres/database.ts';
import { isDuplicate } from '../postgres/postgres-errors.ts';
import { insertAccount } from './account-changes.ts';
import type { Append } from './audit-log.ts';
import { type FoundCaller, readAccount, readCallers } from './caller-queries.ts';

/** What a change works with. */
export interface UserChanging {
  readonly sql: Transaction;
  readonly append: Append;
  readonly vault: KeyVault;
  readonly author: Author;
}

export async function createUser(
  user: NewUser,
  products: readonly ProductId[],
  changing: UserChanging,
): Promise<Caller> {
  const { sql, append, vault, author } = changing;
  const { username } = user;
  const known = await readAccount(sql, sql`account.name = ${user.account}`);
  const found = await readTaken(sql, user, known?.id);
  // Before the name is checked: a full account must not be able to find out which names are free.
  if (known) refuseTooMany(user, found.users);
  const [person] = await sql<PersonOfName[]>`
    select id, name, account_id from person where lower(name) = lower(${username} collate "C")`;
  const personId = samePersonId(username, known?.id, person);
  refuseTaken(user, found);
  const accountId = known?.id ?? (await insertAccount(user.account, products, changing));
  // A person and a user of one name are the same, so what is theirs alone stays theirs.
  const id = personId ?? newId();
  const sharedId = await findSharedId(sql, user.pdnsSharedWith, accountId);
  const row = newUserRow(user, { id, accountId, apiOwner: !found.has_owner, sharedId }, vault, author);
  await sql`insert into api_user ${sql(row)}`;
  append({ action: 'user.create', account: user.account, username, detail: createdDetail(user) }, author);
  return (await getUser(sql, username)).caller;
}

interface TakenRow {
  users: number;
  has_owner: boolean;
  username: string | null;
  similar: string | undefined;
  apiKey: boolean;
  retiredKey: boolean;
  batchKey: boolean;
}

async function readTaken(sql: Transaction, user: NewUser, accountId = ''): Promise<TakenRow> {
  const { username, apiKey, batch } = user;
  const digest = keyDigest(apiKey);
  const batchKey = batch ? batchDigest(batch.key) : null;
  const [row] = await sql<[TakenRow]>`select
    (select count(*) from api_user where account_id = ${accountId}) as users,
    exists (select from api_user where account_id = ${accountId} and api_owner) as has_owner,
    (select username from api_user where username = ${username}) as username,
    (select username from api_user where lower(username) = lower(${username} collate "C") limit 1) as similar,
    exists (select from api_user where key_digest = ${digest}) as "apiKey",
    exists (select from retired_key where digest = ${digest}) as "retiredKey",
    exists (select from api_user where batch_digest = ${batchKey}) as "batchKey"`;
  return row;
}

export async function resetKey(username: string, apiKey: string, changing: UserChanging): Promise<Caller> {
  const { sql, append, vault, author } = changing;
  const { row, caller } = await getUser(sql, username);
  await retireKey(sql, row.key_digest);
  try {
    await sql`update api_user set key_digest = ${keyDigest(apiKey)}, key_sealed = ${vault.seal(apiKey, username)},
      key_expires_ms = case when key_expires_ms > ${author.atMs} then key_expires_ms end where id = ${row.id}`;
  } catch (error) {
    if (isDuplicate(error)) throw new Problem('already-exists', 'that key is taken', { cause: error });
    throw error;
  }
  append({ action: 'key.reset', account: caller.account.name, username }, author);
  return (await getUser(sql, username)).caller;
}

export async function updateUser(
  username: string,
  change: UserChange,
  { sql, append, author }: UserChanging,
): Promise<Caller> {
  const { row, caller } = await getUser(sql, username);
  const { account } = caller;
  if (change.batchKey) {
    const [batchKey] = await sql`select from api_user where batch_digest = ${batchDigest(change.batchKey)}`;
    refuseTaken({}, { batchKey });
  }
  if (change.apiOwner) await sql`update api_user set api_owner = false where account_id = ${account.id}`;
  const shared = await findSharedId(sql, change.pdnsSharedWith, account.id);
  const columns = changedColumns(change, shared);
  if (Object.keys(columns).length > 0) await sql`update api_user set ${sql(columns)} where id = ${row.id}`;
  append({ action: 'user.update', account: account.name, username, detail: updatedDetail(change) }, author);
  return (await getUser(sql, username)).caller;
}

export async function removeUser(
  username: string,
  { sql, append, author }: Omit<UserChanging, 'vault'>,
): Promise<void> {
  const { row, caller } = await getUser(sql, username);
  const { account, user } = caller;
  const others = await sql`
    select from api_user where account_id = ${account.id} and id <> ${row.id} limit 1`;
  if (user.apiOwner && others.length > 0) refuseOwner({ username, account: account.name });
  await retireKey(sql, row.key_digest);
  await sql`delete from api_user where id = ${row.id}`;
  append({ action: 'user.remove', account: account.name, username }, author);
}

async function retireKey(sql: Transaction, digest: string): Promise<void> {
  await sql`insert into retired_key (digest) values (${digest}) on conflict do nothing`;
}

async function getUser(sql: Transaction, username: string): Promise<FoundCaller> {
  const [found] = await readCallers(sql, sql`select * from api_user where username = ${username}`);
  if (!found) throw noUser(username);
  return found;
}

async function findSharedId(
  sql: Transaction,
  username: string | undefined,
  accountId: string,
): Promise<string | null> {
  if (username === undefined) return null;
  const { row } = await getUser(sql, username);
  if (row.account_id !== accountId) throw noUserOfAccount(username);
  return row.id;
}
