/** The log of decisions: what each changed, and what that was before. */
import { newId } from '../../../model/account/api-key.ts';
import type {
  DecisionTarget,
  DomainState,
  Escalation,
  WatchlistId,
} from '../../../model/detect/watchlist.ts';
import type { Actor } from '../../decision-store.ts';
import type { Transaction } from '../postgres/database.ts';
import { jsonRows } from '../postgres/json-rows.ts';
import { appendDecisionEvent } from './event-log.ts';

/** A decision that is being made; it has no row, and no number, before it changes something. */
export interface OpenDecision {
  readonly id: WatchlistId;
  readonly accountId: string;
  readonly target: DecisionTarget;
  readonly by: Actor;
  readonly note: string | undefined;
  readonly number: number | undefined;
}

/** What is put back when the decision is undone. */
export interface DomainBefore {
  readonly number: number;
  readonly id: WatchlistId;
  readonly state: DomainState;
  readonly assigned_by: string | null;
  readonly assigned_ms: number | null;
}

export function openDecision(
  accountId: string,
  target: DecisionTarget,
  by: Actor,
  note?: string,
): OpenDecision {
  return { id: newId(), accountId, target, by, note, number: undefined };
}

/** What it changed and what that was before; those who work on the same watchlist are notified. */
export async function logDecision(
  sql: Transaction,
  decision: OpenDecision,
  before: readonly DomainBefore[],
  escalations: readonly Escalation[],
): Promise<OpenDecision> {
  const number = decision.number ?? (await insertDecision(sql, decision));
  const rows = before.map((row, position) => ({
    position,
    domain: row.number,
    from_state: row.state,
    from_by: row.assigned_by,
    from_ms: row.assigned_ms,
    escalation: escalations[position]?.id ?? null,
  }));
  await sql`
    insert into decided_domain (decision, domain, from_state, from_by, from_ms, escalation)
    select ${number}::bigint, domain, from_state, from_by, from_ms, escalation
    from json_to_recordset(${jsonRows(rows)}::text::json)
      as new (position int, domain bigint, from_state text, from_by text, from_ms bigint, escalation text)
    order by position`;
  const { id, accountId, target, by } = decision;
  const detail = { decisionId: id, by: by.username, target, domainIds: before.map((row) => row.id) };
  await appendDecisionEvent(sql, 'decided', { accountId, atMs: by.atMs }, detail);
  return { ...decision, number };
}

async function insertDecision(sql: Transaction, decision: OpenDecision): Promise<number> {
  const { id, accountId, target, by, note = null } = decision;
  const [row] = await sql<{ number: number }[]>`
    insert into decision (id, account_id, username, at_ms, target, note)
    values (${id}, ${accountId}, ${by.username}, ${by.atMs}, ${target}, ${note}) returning number`;
  return (row as { number: number }).number;
}
