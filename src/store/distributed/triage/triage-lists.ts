/** Pages of lists, and single domains, with what people added to them. */
import type { WatchlistId } from '../../../model/detect/watchlist.ts';
import type { ListPaging } from '../../paging/list-paging.ts';
import type { TriageDomain, TriageList, TriagePage, TriageQuery } from '../../triage-store.ts';
import type { Statements } from '../detect/account-lock.ts';
import { listDomainsOf } from '../detect/domain-rows.ts';
import { findSnapshot, type SnapshotKey, saveSnapshot } from '../detect/list-snapshots.ts';
import type { Fragment, PostgresDatabase, Transaction } from '../postgres/database.ts';
import { arrivalIn, isIn } from './triage-conditions.ts';
import { countDomains, listRows, orderOf, whereOf } from './triage-selection.ts';

interface AddedRow {
  readonly id: WatchlistId;
  readonly assignee: string | null;
  readonly changed_fields: readonly string[];
  readonly notes: number;
  readonly arrived_ms: number | null;
}

interface FoundPage {
  readonly page: TriagePage;
  /** Of a list whose first page this is. */
  readonly rows?: readonly number[];
}

export async function listTriage(
  database: PostgresDatabase,
  accountId: string,
  query: TriageQuery,
  paging: ListPaging,
): Promise<TriagePage | 'unknown-monitor'> {
  // A person reads several lists, each in its own order; those of other people do not crowd them out.
  const key: SnapshotKey = { accountId, list: `triage ${paging.username}`, paging };
  const found = await database.snapshot((sql) => findPage(sql, key, query));
  if (found === 'unknown-monitor') return found;
  const { page, rows } = found;
  if (rows) await saveSnapshot(database, key, { total: page.total, rows, limit: query.limit });
  return page;
}

async function findPage(
  sql: Transaction,
  key: SnapshotKey,
  query: TriageQuery,
): Promise<FoundPage | 'unknown-monitor'> {
  const { accountId, paging } = key;
  const { list, offset, limit } = query;
  const filter = await whereOf(sql, accountId, query);
  if (filter === 'unknown-monitor') return filter;
  const { condition: where } = filter;
  const [known, arrivedSinceRead] = await Promise.all([
    paging.isFirstPage ? undefined : findSnapshot(sql, key, query),
    countArrived(sql, where, list, query.readMs),
  ]);
  const read = (numbers: readonly number[]) => readDomains(sql, accountId, numbers, list);
  if (known) return { page: { total: known.total, arrivedSinceRead, domains: await read(known.rows) } };
  const rows = await listRows(sql, where, orderOf(sql, query.sort, list), paging.rowsMax);
  const total = rows.length < paging.rowsMax ? rows.length : await countDomains(sql, where);
  const domains = await read(rows.slice(offset, offset + limit));
  return { page: { total, arrivedSinceRead, domains }, rows };
}

/** Also one that no list shows, as long as a monitor matches it or it is blocked. */
export async function findTriageDomain(
  sql: Transaction,
  accountId: string,
  id: WatchlistId,
): Promise<TriageDomain | undefined> {
  const rows = await sql<{ number: number }[]>`
    select number from watchlist_domain as domain where account_id = ${accountId} and id = ${id}
      and (matched or exists (select 1 from escalation where escalation.domain = domain.number and type = 'blocked'))`;
  const [domain] = await readDomains(
    sql,
    accountId,
    rows.map(({ number }) => number),
    'new',
  );
  return domain;
}

export function countArrivedSince(
  sql: Statements,
  accountId: string,
  list: TriageList,
  sinceMs: number,
): Promise<number> {
  const where = sql`domain.account_id = ${accountId} and ${isIn(sql, list)}`;
  return countArrived(sql, where, list, sinceMs);
}

function countArrived(sql: Statements, where: Fragment, list: TriageList, sinceMs: number): Promise<number> {
  return countDomains(sql, sql`${where} and ${arrivalIn(sql, list)} > ${sinceMs}`);
}

async function readDomains(
  sql: Transaction,
  accountId: string,
  numbers: readonly number[],
  list: TriageList,
): Promise<readonly TriageDomain[]> {
  if (numbers.length === 0) return [];
  const [domains, rows] = await Promise.all([
    listDomainsOf(sql, accountId, numbers),
    sql<AddedRow[]>`
      select id, assignee, changed_fields, ${arrivalIn(sql, list)} as arrived_ms,
        (select count(*) from watchlist_note where watchlist_note.domain = domain.number) +
        (select count(*) from decided_domain join decision on decision.number = decided_domain.decision
          where decided_domain.domain = domain.number and note is not null) as notes
      from watchlist_domain as domain
      where number = any(${numbers as number[]}::bigint[]) and account_id = ${accountId}`,
  ]);
  const added = new Map(rows.map((row) => [row.id, row]));
  return domains.flatMap((domain) => {
    const row = added.get(domain.id);
    if (!row) return [];
    const { assignee, notes, changed_fields: changedFields, arrived_ms: arrivedMs } = row;
    return {
      ...domain,
      assignee: assignee ?? undefined,
      notes,
      changedFields,
      arrivedMs: arrivedMs ?? domain.discoveredMs,
    };
  });
}
