/**
 * Adds the domains of a list snapshot. A domain that was already listed with the same verdict only gets the number of the new snapshot,
 * and no change is logged.
 */
import type { VerdictLabel } from '../../../model/risk/verdict.ts';
import { bestRanks } from '../../risk/best-ranks.ts';
import { isLoggedChange } from '../../risk/logged-change.ts';
import type { ListedDomain, ListSnapshot } from '../../risk-store.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import { addCounts, snapshotRow } from './snapshot-rows.ts';
import { lockVerdictLog } from './verdict-log.ts';

/** Domains per transaction: other writers to the list wait no longer than for one. */
const writeBatchSize = 5000;

/** The domains of a batch that are in one snapshot of the list so far; null where they are new to it. */
type BeforeRow = { readonly domains: number } & (
  | { readonly number: null }
  | { readonly number: number; readonly id: number; readonly label: VerdictLabel; readonly weight: number }
);

export async function addListed(
  database: PostgresDatabase,
  snapshot: ListSnapshot,
  domains: readonly ListedDomain[],
): Promise<void> {
  for (let from = 0; from < domains.length; from += writeBatchSize) {
    const ranks = bestRanks(domains.slice(from, from + writeBatchSize));
    await database.writeRepeatable((sql) => addBatch(sql, snapshot, ranks));
  }
}

async function addBatch(
  sql: Transaction,
  snapshot: ListSnapshot,
  ranks: ReadonlyMap<string, number | undefined>,
): Promise<void> {
  const row = await snapshotRow(sql, snapshot);
  const { list, number } = row;
  const domains = [...ranks.keys()];
  const counts = new Map([[number, 0]]);
  const [later, changed]: [number[], number[]] = [[], []];
  for (const before of await readBefore(sql, list, domains)) {
    if (before.number === number) continue;
    const earlier = before.number === null ? undefined : before;
    if (earlier && earlier.id > row.id) {
      later.push(earlier.number);
      continue;
    }
    counts.set(number, (counts.get(number) ?? 0) + before.domains);
    if (earlier) counts.set(earlier.number, -before.domains);
    if (isLoggedChange(earlier, row)) changed.push(earlier?.number ?? 0);
  }
  if (changed.length > 0) await logListed(sql, list, domains, changed);
  await sql`
    insert into listed_domain as listed (list, domain, snapshot, rank)
    select ${list}, domain, ${number}, rank
    from unnest(${domains}::text[], ${[...ranks.values()].map((rank) => rank ?? null)}::bigint[]) added (domain, rank)
    on conflict (list, domain) do update set
      snapshot = excluded.snapshot,
      rank = case when listed.snapshot = excluded.snapshot then least(listed.rank, excluded.rank) else excluded.rank end
    where listed.snapshot <> all(${later}::bigint[])
      and (listed.snapshot, listed.rank) is distinct from (excluded.snapshot, excluded.rank)`;
  await addCounts(sql, counts);
}

function readBefore(sql: Transaction, list: number, domains: readonly string[]): Promise<BeforeRow[]> {
  return sql<BeforeRow[]>`
    select s.number, s.id, s.label, s.weight, count(*) as domains
    from unnest(${domains}::text[]) added (domain)
    left join listed_domain l on l.list = ${list} and l.domain = added.domain
    left join reputation_snapshot s on s.number = l.snapshot
    group by s.number`;
}

/** Of domains about to be added, those that are still in one of these snapshots of the list; 0 stands for none. */
async function logListed(
  sql: Transaction,
  list: number,
  domains: readonly string[],
  snapshots: readonly number[],
): Promise<void> {
  await lockVerdictLog(sql);
  await sql`
    insert into verdict_change (domain)
    select added.domain from unnest(${domains}::text[]) added (domain)
    left join listed_domain l on l.list = ${list} and l.domain = added.domain
    where coalesce(l.snapshot, 0) = any(${snapshots}::bigint[])
    order by added.domain collate "C"`;
}
