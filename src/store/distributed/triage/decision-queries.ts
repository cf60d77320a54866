/** Reads the log of decisions. */
import type { WatchlistId } from '../../../model/detect/watchlist.ts';
import type { DecisionOfDomain, DecisionStore, LoggedDecision } from '../../decision-store.ts';
import {
  type DecisionRow,
  decisionOf,
  decisionOfDomain,
  namesShown,
  type OfDomainRow,
} from '../../detect/triage/decision-rows.ts';
import type { Sql } from '../postgres/database.ts';

type NamedRow = DecisionRow & { readonly first_names: readonly string[] };

const decisions = (sql: Sql) => sql`
  select decision.*,
    (select count(*) from decided_domain where decided_domain.decision = decision.number) as domains,
    exists (select 1 from decided_domain left join escalation on escalation.id = decided_domain.escalation
      where decided_domain.decision = decision.number and not undone
        and submission is distinct from 'submitted') as can_undo,
    array(select domain.name from decided_domain
      join watchlist_domain as domain on domain.number = decided_domain.domain
      where decided_domain.decision = decision.number order by decided_domain.number limit ${namesShown}) as first_names
  from decision`;

export async function findDecision(
  sql: Sql,
  accountId: string,
  id: WatchlistId,
): Promise<LoggedDecision | undefined> {
  const [row] = await sql<NamedRow[]>`${decisions(sql)} where account_id = ${accountId} and id = ${id}`;
  return row && decisionOf(row, row.first_names);
}

/** Newest first. */
export async function listDecisions(
  sql: Sql,
  accountId: string,
  { beforeId, by, limit }: Parameters<DecisionStore['listDecisions']>[1],
): Promise<readonly LoggedDecision[]> {
  const isBy = by === undefined ? sql`` : sql`and username = ${by}`;
  const isBefore =
    beforeId === undefined
      ? sql``
      : sql`and number < (select number from decision where account_id = ${accountId} and id = ${beforeId})`;
  const rows = await sql<NamedRow[]>`
    ${decisions(sql)} where account_id = ${accountId} ${isBy} ${isBefore} order by number desc limit ${limit}`;
  return rows.map((row) => decisionOf(row, row.first_names));
}

/** Newest first. */
export async function listDecisionsOf(
  sql: Sql,
  accountId: string,
  domainId: WatchlistId,
  limit: number,
): Promise<readonly DecisionOfDomain[]> {
  const rows = await sql<OfDomainRow[]>`
    select decision.id as "decisionId", username as by, at_ms as "atMs", from_state as "from", target,
      case when undone then undone_by end as "undoneBy", undone_ms as "undoneMs"
    from decided_domain join decision on decision.number = decided_domain.decision
      join watchlist_domain as domain on domain.number = decided_domain.domain
    where domain.account_id = ${accountId} and domain.id = ${domainId}
    order by decided_domain.number desc limit ${limit}`;
  return rows.map(decisionOfDomain);
}
