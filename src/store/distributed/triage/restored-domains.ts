/** Puts domains back into the states they were in before a decision, and withdraws the escalations that the decision made. */
import type { DomainState } from '../../../model/detect/watchlist.ts';
import type { MadeEscalation } from '../../detect/triage/decision-rows.ts';
import { raiseBlocklistVersion } from '../detect/blocked-names.ts';
import { appendWithdrawals, type EventSubject } from '../detect/event-log.ts';
import { updateMemberships } from '../detect/memberships.ts';
import type { Transaction } from '../postgres/database.ts';
import { jsonRows } from '../postgres/json-rows.ts';

/** A domain that the decision changed, and the escalation that it made. */
export interface DecidedRow extends EventSubject {
  /** In the log. */
  readonly logged: number;
  readonly from_state: DomainState;
  readonly from_by: string | null;
  readonly from_ms: number | null;
  readonly decided_since: boolean;
  /** JSON; null: it made none, or that is gone. */
  readonly escalation: string | null;
}

/** What the decision changed and nobody has undone, in the order of the log. */
export function listDecided(
  sql: Transaction,
  decision: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly DecidedRow[]> {
  return sql<DecidedRow[]>`
    select mine.number as logged, from_state, from_by, from_ms,
      domain.number, domain.id, domain.account_id, domain.name, domain.state,
      exists (select 1 from decided_domain as later
        where later.domain = mine.domain and later.number > mine.number and not later.undone) as decided_since,
      (select row_to_json(made)::text from escalation as made where made.id = mine.escalation) as escalation
    from decided_domain as mine join watchlist_domain as domain on domain.number = mine.domain
    where mine.decision = ${decision} and mine.number > ${after} and not mine.undone
    order by mine.number limit ${limit}`;
}

export async function withdraw(
  sql: Transaction,
  accountId: string,
  withdrawn: readonly { readonly subject: EventSubject; readonly escalation: MadeEscalation }[],
  atMs: number,
): Promise<void> {
  if (withdrawn.length === 0) return;
  await sql`delete from escalation where id = any(${withdrawn.map(({ escalation }) => escalation.id)}::text[])`;
  const withdrawals = withdrawn.map(({ subject, escalation: { type, event } }) => {
    return { subject, type, event: event ?? undefined };
  });
  await appendWithdrawals(sql, withdrawals, atMs);
  if (withdrawn.some(({ escalation }) => escalation.type === 'blocked'))
    await raiseBlocklistVersion(sql, accountId);
}

export async function restore(sql: Transaction, rows: readonly DecidedRow[], atMs: number): Promise<void> {
  const states = rows.map(({ number, from_state, from_by, from_ms }) => {
    return { number, from_state, from_by, from_ms };
  });
  await sql`
    update watchlist_domain set state = from_state, assigned_by = from_by, assigned_ms = from_ms,
      escalated_ms = (select max(created_ms) from escalation where escalation.domain = watchlist_domain.number)
    from json_to_recordset(${jsonRows(states)}::text::json)
      as before (number bigint, from_state text, from_by text, from_ms bigint)
    where watchlist_domain.number = before.number`;
  await updateMemberships(
    sql,
    rows.map(({ number }) => ({ number, atMs })),
  );
  await sql`update decided_domain set undone = true where number = any(${rows.map(({ logged }) => logged)}::bigint[])`;
}
