/** The kept versions of selections. Those that write must be called under the lock of the account. */
import {
  draftSerial,
  isDue,
  type SelectionRow,
  versionsMax,
} from '../../detect/blocklist/selection-state.ts';
import type { Statements } from '../detect/account-lock.ts';
import type { Transaction } from '../postgres/database.ts';

const serials = 2 ** 32;

/** Of the selections that are due. */
export async function publishVersions(
  sql: Transaction,
  selections: readonly SelectionRow[],
  nowMs: number,
): Promise<void> {
  const due = selections.filter(isDue);
  if (due.length === 0) return;
  const [numbers, drafts] = [due.map(({ number }) => number), due.map((row) => draftSerial(row, nowMs))];
  const published = sql`unnest(${numbers}::bigint[], ${drafts}::bigint[]) as published (selection, draft)`;
  await sql`update blocklist_selection set serial = published.draft, draft = null
    from ${published} where number = selection`;
  await sql`insert into blocklist_version (selection, serial) select * from ${published}`;
  await sql`
    delete from blocklist_version as version using ${published}, lateral (
      select serial from blocklist_version as kept where kept.selection = published.selection
      order by serial desc offset ${versionsMax} limit 1) as latest
    where version.selection = published.selection and version.serial <= latest.serial`;
}

/** Gives every selection of the account a draft that changes nothing but the serial. */
export async function renewDrafts(sql: Transaction, accountId: string, nowMs: number): Promise<void> {
  await sql`
    update blocklist_selection set draft = greatest(serial + 1, ${Math.floor(nowMs / 1000)}::bigint)
    where account_id = ${accountId} and draft is null and serial > 0`;
}

/** Deletes names that no kept version has. Whether there may be more. */
export async function pruneMembers(
  sql: Transaction,
  selections: readonly SelectionRow[],
  limit: number,
): Promise<boolean> {
  const { count } = await sql`
    delete from blocklist_member as member using
      unnest(${selections.map(({ number }) => number)}::bigint[]) as given (selection), lateral (
        select name, added from blocklist_member as old
        where old.selection = given.selection
          and removed <= (select min(serial) from blocklist_version as kept where kept.selection = given.selection)
        limit ${limit}) as gone
    where member.selection = given.selection and member.name = gone.name and member.added = gone.added`;
  return count >= limit;
}

/** Whether all of these versions of the selection are kept. */
export async function hasVersions(
  sql: Statements,
  selection: number,
  wanted: readonly number[],
): Promise<boolean> {
  const distinct = [...new Set(wanted)];
  const { count } = await sql`
    select 1 from blocklist_version where selection = ${selection} and serial = any(${distinct}::bigint[])`;
  return count === distinct.length;
}

export async function findSerial(
  sql: Statements,
  selection: number,
  lowBits: number,
): Promise<number | undefined> {
  const [row] = await sql<{ serial: number }[]>`
    select serial from blocklist_version where selection = ${selection} and serial % ${serials}::bigint = ${lowBits}
    order by serial desc limit 1`;
  return row?.serial;
}
