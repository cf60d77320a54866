/** The allow lists of accounts. */
import { endOfNamesBelow, namesAbove, reversedName } from '../../detect/blocklist/reversed-name.ts';
import type { AllowedName, BlocklistActor } from '../../detect/blocklist-store.ts';
import type { Statements } from '../detect/account-lock.ts';
import type { Transaction } from '../postgres/database.ts';

export function listAllowed(sql: Statements, accountId: string): Promise<readonly AllowedName[]> {
  return sql<AllowedName[]>`
    select name, added_by as by, added_ms as "atMs" from blocklist_allowed
    where account_id = ${accountId} order by name`;
}

export async function hasAllowed(sql: Statements, accountId: string): Promise<boolean> {
  const rows = await sql`select 1 from blocklist_allowed where account_id = ${accountId} limit 1`;
  return rows.length > 0;
}

/** Those of the names, and of the names above them, that are allowed. */
export async function findAllowed(
  sql: Statements,
  accountId: string,
  names: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const asked = [...new Set([...names].flatMap((name) => [name, ...namesAbove(name)]))];
  const rows = await sql<{ name: string }[]>`
    select name from blocklist_allowed where account_id = ${accountId} and name = any(${asked}::text[])`;
  return new Set(rows.map(({ name }) => name));
}

/** Allowed names below each of the names; not the names themselves. */
export async function findAllowedBelow(
  sql: Statements,
  accountId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await sql<{ above: string; names: readonly string[] }[]>`
    select above, array(
      select name from blocklist_allowed
      where account_id = ${accountId} and reversed > first and reversed < last order by name) as names
    from unnest(${names}::text[], ${names.map(reversedName)}::text[], ${names.map(endOfNamesBelow)}::text[])
      as given (above, first, last)`;
  return new Map(rows.map(({ above, names: below }) => [above, below]));
}

/** Under the lock of the account. */
export async function changeAllowed(
  sql: Transaction,
  accountId: string,
  { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
  { username, atMs }: BlocklistActor,
): Promise<void> {
  await sql`delete from blocklist_allowed where account_id = ${accountId} and name = any(${remove}::text[])`;
  await sql`
    insert into blocklist_allowed (account_id, name, reversed, added_by, added_ms)
    select ${accountId}, name, reversed, ${username}, ${atMs}
    from unnest(${add}::text[], ${add.map(reversedName)}::text[]) as given (name, reversed)
    on conflict do nothing`;
  const changed = [...new Set([...add, ...remove])];
  await sql`
    insert into blocklist_pending
    select ${accountId}, name from unnest(${changed}::text[]) as given (name)
    union
    select ${accountId}, member.name
    from unnest(${changed.map(reversedName)}::text[], ${changed.map(endOfNamesBelow)}::text[]) as given (first, last)
      join blocklist_selection as selection on selection.account_id = ${accountId}
      join blocklist_member as member on member.selection = selection.number
        and removed is null and reversed >= first and reversed < last
    on conflict do nothing`;
}
