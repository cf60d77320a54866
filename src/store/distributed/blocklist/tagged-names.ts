/** Rows of `blocklist_tagged`: domains with tags that selections name. Those that write must be called under the lock of the account. */
import { foldedText } from '../../domain/value-keys.ts';
import type { Sql, Transaction } from '../postgres/database.ts';

export async function nextTagRound(sql: Sql, accountId: string, tag: string): Promise<number> {
  const [row] = await sql<{ last: number | null }[]>`
    select max(round) as last from blocklist_tagged where account_id = ${accountId} and tag = ${foldedText(tag)}`;
  return (row?.last ?? 0) + 1;
}

export async function putTagged(
  sql: Transaction,
  accountId: string,
  tag: string,
  { names, round }: { readonly names: readonly string[]; readonly round: number },
): Promise<void> {
  await sql`
    insert into blocklist_tagged as old (account_id, name, tag, round)
    select distinct ${accountId}, name, ${foldedText(tag)}, ${round}::bigint from unnest(${names}::text[]) as given (name)
    on conflict (account_id, name, tag) do update set round = excluded.round where old.round < excluded.round`;
}

/** Returns how many it removed. */
export async function removeTaggedBefore(
  sql: Transaction,
  accountId: string,
  tag: string,
  { round, limit }: { readonly round: number; readonly limit: number },
): Promise<number> {
  const { count } = await sql`
    delete from blocklist_tagged where (account_id, name, tag) in (
      select account_id, name, tag from blocklist_tagged
      where account_id = ${accountId} and tag = ${foldedText(tag)} and round < ${round} limit ${limit})`;
  return count;
}
