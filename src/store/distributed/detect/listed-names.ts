/**
 * Which names are on lists of any account. Names hidden by exclusions count too: a change of their name servers may list them again.
 * Names that no monitor matches any more do not.
 */
import type { WatchlistDomain } from '../../../model/detect/watchlist.ts';
import type { DecidedCounts } from '../../watchlist-store.ts';
import type { Statements } from './account-lock.ts';
import { listDomainsOf } from './domain-rows.ts';

export async function findListedDomains(
  sql: Statements,
  domains: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ name: string }[]>`
    select name from unnest(${[...new Set(domains)]}::text[]) as wanted (name)
    where exists (select 1 from watchlist_domain where watchlist_domain.name = wanted.name and matched)`;
  return new Set(rows.map(({ name }) => name));
}

export async function findDomainNamed(
  sql: Statements,
  accountId: string,
  domain: string,
): Promise<WatchlistDomain | undefined> {
  const rows = await sql<{ number: number }[]>`
    select number from watchlist_domain where account_id = ${accountId} and name = ${domain} and matched`;
  const [found] = await listDomainsOf(
    sql,
    accountId,
    rows.map(({ number }) => number),
  );
  return found;
}

/** A name that is given twice counts twice. */
export async function countDecided(
  sql: Statements,
  accountId: string,
  domains: readonly string[],
): Promise<DecidedCounts> {
  const [counts] = await sql<DecidedCounts[]>`
    select count(*) filter (where state = 'watched') as watched, count(*) filter (where state = 'ignored') as ignored,
      count(*) filter (where exists (select 1 from escalation where domain = watchlist_domain.number)) as escalated
    from unnest(${domains}::text[]) as wanted (wanted_name)
      join watchlist_domain on account_id = ${accountId} and name = wanted_name`;
  return counts as DecidedCounts;
}

export async function listWatchedNames(
  sql: Statements,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await sql<{ name: string }[]>`
    select distinct name from watchlist_domain where state = 'watched' and matched and name > ${after}
    order by name limit ${limit}`;
  return rows.map(({ name }) => name);
}
