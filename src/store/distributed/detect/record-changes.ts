/** Applies changed records to every account that has the domain on a list. */
import type { FactRow } from '../../detect/rows/domain-rows.ts';
import { recordEvents } from '../../detect/rows/record-events.ts';
import { parsed } from '../../detect/rows/stored-json.ts';
import { type LogPosition, logStart } from '../../paging/log-position.ts';
import type { RecordChange } from '../../watchlist-store.ts';
import { noteChangedLinks } from '../campaign/domain-links.ts';
import type { Transaction } from '../postgres/database.ts';
import { jsonRows } from '../postgres/json-rows.ts';
import { lockAccounts, type Statements } from './account-lock.ts';
import { appendEvents, type EventSubject } from './event-log.ts';
import { factAssignments, factFields, factTypes } from './fact-fields.ts';
import { writeMemberships } from './memberships.ts';

type DomainRow = EventSubject & FactRow & { readonly listed: boolean };

interface Affected {
  readonly row: DomainRow;
  readonly change: RecordChange;
}

export async function recordChangesCheckpoint(sql: Statements): Promise<LogPosition> {
  const [row] = await sql<{ position: string }[]>`
    select position from watchlist_checkpoint where name = 'record changes'`;
  return row?.position ?? logStart;
}

/** True if it was at `from`, and then it is locked until the transaction ends. */
export async function moveCheckpoint(
  sql: Transaction,
  { from, to }: { readonly from: LogPosition; readonly to: LogPosition },
): Promise<boolean> {
  await sql`insert into watchlist_checkpoint (name, position) values ('record changes', ${logStart}) on conflict do nothing`;
  const { count } = await sql`
    update watchlist_checkpoint set position = ${to} where name = 'record changes' and position = ${from}`;
  return count > 0;
}

export async function applyRecordChanges(
  sql: Transaction,
  changes: readonly RecordChange[],
  nowMs: number,
): Promise<void> {
  await lockAffected(
    sql,
    changes.map(({ domain }) => domain),
  );
  let left = changes;
  while (left.length > 0) {
    // A domain that changed twice is changed in that order.
    const round = new Map<string, RecordChange>();
    const later: RecordChange[] = [];
    for (const change of left) {
      if (round.has(change.domain)) later.push(change);
      else round.set(change.domain, change);
    }
    await applyRound(sql, round, nowMs);
    left = later;
  }
}

/** Until no account is left that has one of the domains on a list and is not locked. */
export async function lockAffected(sql: Transaction, names: readonly string[]): Promise<void> {
  const locked = new Set<string>();
  for (;;) {
    const rows = await sql<{ account_id: string }[]>`
      select distinct account_id from watchlist_domain where name = any(${names}::text[]) and matched`;
    const missing = rows.map(({ account_id }) => account_id).filter((id) => !locked.has(id));
    if (missing.length === 0) return;
    await lockAccounts(sql, missing);
    for (const id of missing) locked.add(id);
  }
}

async function applyRound(
  sql: Transaction,
  changes: ReadonlyMap<string, RecordChange>,
  nowMs: number,
): Promise<void> {
  const rows = await sql<DomainRow[]>`
    select number, id, account_id, name, state, listed, active, mx_exists, name_servers, risk_score, risk_status, risk_components
    from watchlist_domain where name = any(${[...changes.keys()]}::text[]) and matched`;
  const rowsOf = Map.groupBy(rows, ({ name }) => name);
  const affected = [...changes.values()].flatMap((change) =>
    (rowsOf.get(change.domain) ?? []).map((row) => ({ row, change })),
  );
  if (affected.length === 0) return;
  await putFacts(sql, affected);
  await noteChangedLinks(
    sql,
    affected.map(({ row }) => row.name),
  );
  // Exclusions depend on name servers, and list membership depends on exclusions.
  const moved = affected.filter(
    ({ row, change }) =>
      JSON.stringify(parsed(row.name_servers)) !== JSON.stringify(change.facts.nameServers),
  );
  const { listed: listedNow, discovered } = await writeMemberships(
    sql,
    moved.map(({ row }) => ({ number: row.number, atMs: nowMs })),
  );
  const movedNumbers = new Set(moved.map(({ row }) => row.number));
  await appendEvents(
    sql,
    affected.flatMap(({ row, change }) => {
      const isListed = movedNumbers.has(row.number) ? listedNow.has(row.number) : row.listed;
      const events = recordEvents(row, change, isListed, nowMs).map((event) => ({ ...event, subject: row }));
      const first = discovered.get(row.number);
      return first ? [first, ...events] : events;
    }),
  );
}

async function putFacts(sql: Transaction, affected: readonly Affected[]): Promise<void> {
  const rows = affected.map(({ row, change: { facts, changed } }) => ({
    number: row.number,
    changed_ms: changed?.atMs ?? null,
    changed_fields: changed?.fields ?? null,
    ...factFields(facts),
  }));
  await sql`
    update watchlist_domain as domain set ${sql.unsafe(factAssignments)},
      changed_fields = case when new.changed_ms >= coalesce(domain.changed_ms, new.changed_ms) then new.changed_fields
        else domain.changed_fields end,
      changed_ms = greatest(domain.changed_ms, new.changed_ms)
    from json_to_recordset(${jsonRows(rows)}::text::json) as new (number bigint, changed_ms bigint, changed_fields text[],
      ${sql.unsafe(factTypes)})
    where domain.number = new.number`;
}
