/** Decisions about many domains, in pieces: each piece is one transaction, and all belong to one decision in the log. */
import type { WatchlistId } from '../../../model/detect/watchlist.ts';
import type {
  Actor,
  ChangedDomain,
  DecisionOutcome,
  NewDecision,
  RefusedDomain,
} from '../../decision-store.ts';
import { type CurrentRow, refusalOf } from '../../detect/triage/decision-rows.ts';
import { changeAccount } from '../detect/account-lock.ts';
import { type OpenDecision, openDecision } from '../detect/decision-log.ts';
import { decide } from '../detect/decisions.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';

interface DecidedPiece {
  readonly decision: OpenDecision;
  readonly changed: readonly ChangedDomain[];
  readonly refused: readonly RefusedDomain[];
}

/** Domains in another state than expected are refused; undefined: any state. */
type Expected = (id: WatchlistId) => string | undefined;

export interface BulkDecision extends NewDecision {
  readonly accountId: string;
  readonly by: Actor;
  readonly expected: Expected;
}

export async function decideInPieces(
  database: PostgresDatabase,
  ids: readonly WatchlistId[],
  { accountId, by, expected, target, note, pieceDomains }: BulkDecision,
): Promise<DecisionOutcome> {
  // It has a row from the first piece on that changes something. Until then each attempt may have another id.
  let logged: OpenDecision | undefined;
  const changed: ChangedDomain[] = [];
  const refused: RefusedDomain[] = [];
  for (let from = 0; from < ids.length; from += pieceDomains) {
    const piece = ids.slice(from, from + pieceDomains);
    const done = await changeAccount(database, accountId, (sql) =>
      decidePiece(sql, logged ?? openDecision(accountId, target, by, note), piece, expected),
    );
    if (done.changed.length > 0) logged = done.decision;
    changed.push(...done.changed);
    refused.push(...done.refused);
  }
  return { decisionId: logged?.id, changed, refused };
}

async function decidePiece(
  sql: Transaction,
  decision: OpenDecision,
  ids: readonly WatchlistId[],
  expected: Expected,
): Promise<DecidedPiece> {
  const current = await readCurrent(sql, decision.accountId, ids);
  const isExpected = (id: WatchlistId, { state }: CurrentRow) => {
    const wanted = expected(id);
    return wanted === undefined || wanted === state;
  };
  const numbers = ids.flatMap((id) => {
    const row = current.get(id);
    return row && isExpected(id, row) ? row.number : [];
  });
  const done = await decide(sql, decision, numbers);
  const changedIds = new Set(done.changed.map(({ id }) => id));
  const refused = ids.flatMap((id): RefusedDomain | readonly [] => {
    const row = current.get(id);
    if (!row) return { id, why: 'unknown' };
    if (changedIds.has(id)) return [];
    return refusalOf(id, row, isExpected(id, row) ? 'already' : 'state');
  });
  const changed = done.changed.map(({ id, domain, from, to }) => ({ id, domain, from, to }));
  return { decision: done.decision, changed, refused };
}

async function readCurrent(
  sql: Transaction,
  accountId: string,
  ids: readonly WatchlistId[],
): Promise<ReadonlyMap<WatchlistId, CurrentRow>> {
  const rows = await sql<(CurrentRow & { readonly id: WatchlistId })[]>`
    select id, number, name, state, assigned_by, assigned_ms from watchlist_domain
    where account_id = ${accountId} and id = any(${ids}::text[]) and matched`;
  return new Map(rows.map((row) => [row.id, row]));
}
