/** Result snapshots of lists: the numbers of rows in the order of the first page. */
import {
  type ListSnapshot,
  type SnapshotList,
  snapshotLifetimeMs,
  snapshotsPerListMax,
} from '../../detect/rows/list-snapshot.ts';
import type { ListPaging } from '../../paging/list-paging.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import type { Statements } from './account-lock.ts';

/** Which snapshot. */
export interface SnapshotKey {
  readonly accountId: string;
  readonly list: SnapshotList;
  readonly paging: ListPaging;
}

/** The rows of a page. A colleague may read on what another user began. */
export async function findSnapshot(
  sql: Statements,
  { accountId, list, paging }: SnapshotKey,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<ListSnapshot | undefined> {
  const { username, query, nowMs } = paging;
  const [found] = await sql<{ total: number; page: number[] }[]>`
    select total, rows[${offset + 1}::int : ${offset + limit}::int] as page from list_snapshot
    where account_id = ${accountId} and list = ${list} and query = ${query} and until_ms > ${nowMs}
    order by username = ${username} desc, number desc limit 1`;
  return found && { total: found.total, rows: found.page };
}

/** Replaces the snapshot of the same user and query. A list of one page needs none. */
export async function saveSnapshot(
  database: PostgresDatabase,
  { accountId, list, paging }: SnapshotKey,
  { total, rows, limit }: ListSnapshot & { readonly limit: number },
): Promise<void> {
  const { username, query, nowMs } = paging;
  const removeOld = (sql: Statements) => sql`
    delete from list_snapshot where account_id = ${accountId} and (until_ms <= ${nowMs}
      or (list = ${list} and query = ${query} and username = ${username}))`;
  if (total <= limit) {
    await database.read(removeOld);
    return;
  }
  await database.writeRepeatable(async (sql) => {
    await removeOld(sql);
    await sql`insert into list_snapshot (account_id, list, username, query, begun_ms, until_ms, total, rows)
      values (${accountId}, ${list}, ${username}, ${query}, ${nowMs}, ${nowMs + snapshotLifetimeMs}, ${total},
        ${rows}::bigint[])`;
    await sql`delete from list_snapshot where number in (
      select number from list_snapshot where account_id = ${accountId} and list = ${list}
      order by number desc offset ${snapshotsPerListMax})`;
  });
}
