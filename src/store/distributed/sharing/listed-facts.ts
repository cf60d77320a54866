/** Reads what the lists of an account say about domains now. */
import { namesAbove } from '../../detect/blocklist/reversed-name.ts';
import { type ListedFacts, type ListedRow, listedFactsOf } from '../../detect/sharing/listed-facts.ts';
import { findAllowed } from '../blocklist/allowed-names.ts';
import type { Transaction } from '../postgres/database.ts';

interface DomainRow extends ListedRow {
  readonly name: string;
  readonly blocked_ms: number | null;
  /** JSON, one text for each. */
  readonly monitors: readonly string[];
}

/** Names that the account does not know are missing. */
export async function loadListedFacts(
  sql: Transaction,
  accountId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, ListedFacts>> {
  const [rows, allowed] = await Promise.all([
    sql<DomainRow[]>`
      select name, state, listed, discovered_ms, risk_score, risk_components, shared,
        (select created_ms from escalation where escalation.domain = domain.number and type = 'blocked') as blocked_ms,
        array(select json_build_object('id', monitor.id, 'term', term)::text
          from monitor_match join monitor on monitor.number = monitor
          where monitor_match.domain = domain.number and named and not monitor.deleted
          order by monitor.number) as monitors
      from watchlist_domain as domain where account_id = ${accountId} and name = any(${names as string[]}::text[])`,
    findAllowed(sql, accountId, names),
  ]);
  return new Map(rows.map((row) => [row.name, factsOf(row, allowed)]));
}

function factsOf(row: DomainRow, allowed: ReadonlySet<string>): ListedFacts {
  return listedFactsOf(row, {
    blockedMs: row.blocked_ms,
    isAllowed: [row.name, ...namesAbove(row.name)].some((name) => allowed.has(name)),
    monitors: row.monitors.map((text) => JSON.parse(text) as ListedFacts['monitors'][number]),
  });
}
