/** Reputation lists and their snapshots. Within a transaction, which has the lock of the list. */
import type { VerdictLabel } from '../../../model/risk/verdict.ts';
import type { ListSnapshot } from '../../risk-store.ts';
import type { Transaction } from '../postgres/database.ts';

export interface SnapshotRow {
  readonly number: number;
  readonly list: number;
  readonly id: number;
  readonly label: VerdictLabel;
  readonly weight: number;
}

/** The row of a snapshot; it and the row of its list are created where they are missing. Locks the list. */
export async function snapshotRow(sql: Transaction, snapshot: ListSnapshot): Promise<SnapshotRow> {
  const { id, label, weight, untilMs = null } = snapshot;
  const [listed] = await sql<{ list: number }[]>`
    insert into reputation_list as list (name, label, snapshot_id) values (${snapshot.list}, ${label}, ${id})
    on conflict (name) do update set
      label = case when excluded.snapshot_id >= list.snapshot_id then excluded.label else list.label end,
      snapshot_id = greatest(list.snapshot_id, excluded.snapshot_id)
    returning list.id as list`;
  const list = listed?.list as number;
  const [found] = await sql<SnapshotRow[]>`
    select number, list, id, label, weight from reputation_snapshot
    where list = ${list} and id = ${id} and label = ${label} and weight = ${weight}
      and until_ms is not distinct from ${untilMs}`;
  if (found) return found;
  const [added] = await sql<SnapshotRow[]>`
    insert into reputation_snapshot (list, id, label, weight, until_ms)
    values (${list}, ${id}, ${label}, ${weight}, ${untilMs})
    returning number, list, id, label, weight`;
  return added as SnapshotRow;
}

export async function lockList(sql: Transaction, list: number): Promise<void> {
  await sql`select from reputation_list where id = ${list} for update`;
}

/** Adds to the number of domains of each snapshot, by its number. */
export async function addCounts(sql: Transaction, counts: ReadonlyMap<number, number>): Promise<void> {
  await sql`
    update reputation_snapshot s set domains = s.domains + c.more
    from unnest(${[...counts.keys()]}::bigint[], ${[...counts.values()]}::bigint[]) c (number, more)
    where s.number = c.number`;
}

/** Earlier snapshots of a list without any domains left. */
export async function removeEmptySnapshots(sql: Transaction, list: number): Promise<void> {
  await sql`
    delete from reputation_snapshot where list = ${list} and domains = 0
      and id < (select snapshot_id from reputation_list where id = ${list})`;
}
