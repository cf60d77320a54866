/** Undoes decisions, in pieces: what one transaction has not undone, undoing again does. */
import type { DecisionTarget, WatchlistId } from '../../../model/detect/watchlist.ts';
import type { Actor, ChangedDomain, KeptDomain, UndoConflict, UndoOutcome } from '../../decision-store.ts';
import { type MadeEscalation, whyNotWithdrawn } from '../../detect/triage/decision-rows.ts';
import { changeAccount } from '../detect/account-lock.ts';
import { appendDecisionEvent, type EventSubject } from '../detect/event-log.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import { type DecidedRow, listDecided, restore, withdraw } from './restored-domains.ts';

interface DecisionRow {
  readonly number: number;
  readonly id: WatchlistId;
  readonly target: DecisionTarget;
}

interface Piece {
  readonly changed: readonly ChangedDomain[];
  readonly kept: readonly KeptDomain[];
  /** Where the next piece begins; undefined after the last. */
  readonly next: number | undefined;
}

export async function undoDecision(
  database: PostgresDatabase,
  { accountId, id }: { readonly accountId: string; readonly id: WatchlistId },
  { skipConflicts, pieceDomains }: { readonly skipConflicts: boolean; readonly pieceDomains: number },
  by: Actor,
): Promise<UndoOutcome> {
  const [decision] = await database.read(
    (sql) => sql<DecisionRow[]>`
      select number, id, target from decision where account_id = ${accountId} and id = ${id}`,
  );
  if (!decision) return { outcome: 'unknown' };
  const changed: ChangedDomain[] = [];
  const kept: KeptDomain[] = [];
  for (let after = 0; ; ) {
    const range = { after, limit: pieceDomains };
    const done = await changeAccount(database, accountId, async (sql) => {
      // In the transaction of the first piece, so that undoing a few domains is all or nothing.
      const conflicts = range.after === 0 && !skipConflicts ? await listConflicts(sql, decision) : [];
      return conflicts.length > 0 ? { conflicts } : undoPiece(sql, { ...decision, accountId }, range, by);
    });
    if ('conflicts' in done) return { outcome: 'conflict', conflicts: done.conflicts };
    changed.push(...done.changed);
    kept.push(...done.kept);
    if (done.next === undefined) return { outcome: 'undone', changed, kept };
    after = done.next;
  }
}

/** The latest of the later decisions about each domain. */
function listConflicts(sql: Transaction, { number }: DecisionRow): Promise<readonly UndoConflict[]> {
  return sql<UndoConflict[]>`
    select domain.id, domain.name as domain, decision.username as by, decision.at_ms as "atMs", domain.state
    from decided_domain as mine
      join lateral (select later.decision from decided_domain as later
        where later.domain = mine.domain and later.number > mine.number and not later.undone
        order by later.number desc limit 1) as latest on true
      join decision on decision.number = latest.decision
      join watchlist_domain as domain on domain.number = mine.domain
    where mine.decision = ${number} and not mine.undone order by mine.number`;
}

async function undoPiece(
  sql: Transaction,
  decision: DecisionRow & { readonly accountId: string },
  { after, limit }: { readonly after: number; readonly limit: number },
  by: Actor,
): Promise<Piece> {
  const rows = await listDecided(sql, decision.number, { after, limit });
  const kept: KeptDomain[] = [];
  const restored: DecidedRow[] = [];
  const withdrawn: { readonly subject: EventSubject; readonly escalation: MadeEscalation }[] = [];
  for (const row of rows) {
    const escalation = row.escalation === null ? undefined : (JSON.parse(row.escalation) as MadeEscalation);
    const why = row.decided_since ? 'decided' : escalation && whyNotWithdrawn(escalation);
    if (why) kept.push({ id: row.id, why });
    else {
      restored.push(row);
      if (escalation) withdrawn.push({ subject: row, escalation });
    }
  }
  const changed = restored.map((row): ChangedDomain => {
    return { id: row.id, domain: row.name, from: row.state, to: row.from_state };
  });
  if (restored.length > 0) {
    await withdraw(sql, decision.accountId, withdrawn, by.atMs);
    await restore(sql, restored, by.atMs);
    await record(sql, decision, changed, by);
  }
  return { changed, kept, next: rows.length < limit ? undefined : rows.at(-1)?.logged };
}

async function record(
  sql: Transaction,
  { number, id, accountId, target }: DecisionRow & { readonly accountId: string },
  changed: readonly ChangedDomain[],
  { username, atMs }: Actor,
): Promise<void> {
  await sql`update decision set undone_by = ${username}, undone_ms = ${atMs} where number = ${number}`;
  const domainIds = changed.map((change) => change.id);
  await appendDecisionEvent(
    sql,
    'undone',
    { accountId, atMs },
    { decisionId: id, by: username, target, domainIds },
  );
}
