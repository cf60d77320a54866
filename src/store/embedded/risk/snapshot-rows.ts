/** Reputation lists and their snapshots in `risks.db`, where the table is called `reading`. Writes run within the caller's transaction. */
import type { VerdictLabel } from '../../../model/risk/verdict.ts';
import type { ListSnapshot } from '../../risk-store.ts';
import type { Database } from '../database.ts';

export interface SnapshotRow {
  readonly number: number;
  readonly list: number;
  readonly id: number;
  readonly label: VerdictLabel;
  readonly weight: number;
}

export function snapshotRows(database: Database) {
  const putList = database
    .prepare(
      `insert into list (name, label, reading_id) values (:list, :label, :id)
       on conflict do update set
         label = iif(:id >= reading_id, :label, label), reading_id = max(:id, reading_id)
       returning id`,
    )
    .pluck();
  const find = database.prepare(
    `select number, list, id, label, weight from reading
     where list = :listId and id = :id and label = :label and weight = :weight and until_ms is :untilMs`,
  );
  const add = database.prepare(
    `insert into reading (list, id, label, weight, until_ms) values (:listId, :id, :label, :weight, :untilMs)
     returning number, list, id, label, weight`,
  );
  const numbered = database.prepare('select number, list, id, label, weight from reading where number = ?');
  const addCount = database.prepare('update reading set domains = domains + ? where number = ?');
  const removeEmpty = database.prepare(
    'delete from reading where list = ? and domains = 0 and id < (select reading_id from list where id = reading.list)',
  );
  return {
    /** The row of a snapshot; it and the row of its list are created where they are missing. */
    of(snapshot: ListSnapshot): SnapshotRow {
      const untilMs = snapshot.untilMs ?? null;
      const listId = putList.get({ ...snapshot, untilMs }) as number;
      const values = { ...snapshot, untilMs, listId };
      return (find.get(values) ?? add.get(values)) as SnapshotRow;
    },

    numbered: (number: number) => numbered.get(number) as SnapshotRow,

    /** Adds to the number of domains of each snapshot. */
    addCounts(counts: ReadonlyMap<number, number>): void {
      for (const [number, domains] of counts) addCount.run(domains, number);
    },

    /** Earlier snapshots of a list without any domains left. */
    removeEmpty: (list: number) => void removeEmpty.run(list),
  };
}
