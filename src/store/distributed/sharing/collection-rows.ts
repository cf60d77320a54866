/** Rows of `sharing_collection`. Those that write must be called under the lock of the account. */
import type { CollectionRow } from '../../detect/sharing/collection-writer.ts';
import type { CollectionKey } from '../../detect/sharing-store.ts';
import type { Statements } from '../detect/account-lock.ts';
import type { Transaction } from '../postgres/database.ts';

const columns = (sql: Statements) =>
  sql`number, account_id as "accountId", name, title, created_ms, filled, added, feed_offset`;

export async function findCollection(
  sql: Statements,
  { accountId, list }: CollectionKey,
): Promise<CollectionRow | undefined> {
  const [row] = await sql<CollectionRow[]>`
    select ${columns(sql)} from sharing_collection where account_id = ${accountId} and name = ${list}`;
  return row;
}

export function listCollections(sql: Statements, accountId: string): Promise<readonly CollectionRow[]> {
  return sql<CollectionRow[]>`
    select ${columns(sql)} from sharing_collection where account_id = ${accountId} order by number`;
}

export async function isUnrefreshed(sql: Statements, { accountId, list }: CollectionKey): Promise<boolean> {
  const [row] = await sql<[{ unrefreshed: boolean }]>`
    select exists (select 1 from sharing_pending where account_id = ${accountId})
      or not exists (select 1 from sharing_collection
        where account_id = ${accountId} and name = ${list} and filled is null) as unrefreshed`;
  return row.unrefreshed;
}

export async function beginCollection(
  sql: Transaction,
  { accountId, list }: CollectionKey,
  title: string,
  nowMs: number,
): Promise<CollectionRow> {
  const [row] = await sql<[CollectionRow]>`
    insert into sharing_collection (account_id, name, title, created_ms, filled)
    values (${accountId}, ${list}, ${title}, ${nowMs}, '{}')
    on conflict (account_id, name) do update set title = excluded.title
    returning ${columns(sql)}`;
  return row;
}

export async function putFilled(sql: Transaction, number: number, filled: string | null): Promise<void> {
  await sql`update sharing_collection set filled = ${filled} where number = ${number}`;
}

/** When the last object of each was added. */
export async function putAdded(
  sql: Transaction,
  collections: readonly { readonly number: number; readonly added: number }[],
): Promise<void> {
  await sql`
    update sharing_collection set added = now.added
    from unnest(${collections.map(({ number }) => number)}::bigint[], ${collections.map(({ added }) => added)}::bigint[])
      as now (number, added)
    where sharing_collection.number = now.number`;
}

export async function putOffset(sql: Transaction, number: number, offset: number): Promise<void> {
  await sql`update sharing_collection set feed_offset = ${offset}, filled = null where number = ${number}`;
}
