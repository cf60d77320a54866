/** Which names a collection begins with: its list, in steps by an index. What changes meanwhile is noted by triggers. */
import { cursorOf, type FoundName, filledAfter } from '../../detect/sharing/collection-cursor.ts';
import type { CollectionKey } from '../../detect/sharing-store.ts';
import type { Transaction } from '../postgres/database.ts';

/** `filled` as it was returned, `{}` at first; null where these are the last. */
export async function nextCandidates(
  sql: Transaction,
  key: CollectionKey,
  filled: string,
  limit: number,
): Promise<{ readonly names: readonly string[]; readonly filled: string | null }> {
  const found = await find(sql, key, { ...cursorOf(filled), limit });
  return { names: found.map(({ name }) => name), filled: filledAfter(found, limit) };
}

function find(
  sql: Transaction,
  { accountId, list }: CollectionKey,
  { name, ms, number, limit }: FoundName & { readonly limit: number },
): Promise<readonly FoundName[]> {
  if (list === 'blocked')
    return sql<FoundName[]>`
      select name, 0 as ms, 0 as number from escalation
      where account_id = ${accountId} and type = 'blocked' and name > ${name} order by name limit ${limit}`;
  if (list.startsWith('monitor-'))
    return sql<FoundName[]>`
      select domain.name, 0 as ms, domain.number
      from monitor_match join watchlist_domain as domain on domain.number = monitor_match.domain
      where monitor = (select number from monitor
          where account_id = ${accountId} and id = ${list.slice('monitor-'.length)})
        and monitor_match.domain > ${number}
      order by monitor_match.domain limit ${limit}`;
  const state = list === 'watched' ? 'watched' : 'new';
  return sql<FoundName[]>`
    select name, discovered_ms as ms, number from watchlist_domain
    where account_id = ${accountId} and state = ${state} and listed
      and (discovered_ms, number) > (${ms}::bigint, ${number}::bigint)
    order by discovered_ms, number limit ${limit}`;
}
