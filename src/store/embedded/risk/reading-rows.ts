/** Lists and their readings in `risks.db`. All of this is done within transactions of the caller's. */
import type { VerdictLabel } from '../../../model/risk/verdict.ts';
import type { Reading } from '../../risk-store.ts';
import type { Database } from '../database.ts';

export interface ReadingRow {
  readonly number: number;
  readonly list: number;
  readonly id: number;
  readonly label: VerdictLabel;
  readonly weight: number;
}

export function readingRows(database: Database) {
  const begin = database
    .prepare(
      `insert into list (name, label, reading_id) values (:list, :label, :id)
       on conflict do update set
         label = iif(:id >= reading_id, :label, label), reading_id = max(:id, reading_id)
       returning id`,
    )
    .pluck();
  const same = database.prepare(
    `select number, list, id, label, weight from reading
     where list = :listId and id = :id and label = :label and weight = :weight and until_ms is :untilMs`,
  );
  const add = database.prepare(
    `insert into reading (list, id, label, weight, until_ms) values (:listId, :id, :label, :weight, :untilMs)
     returning number, list, id, label, weight`,
  );
  const numbered = database.prepare('select number, list, id, label, weight from reading where number = ?');
  const grow = database.prepare('update reading set domains = domains + ? where number = ?');
  const dropUnused = database.prepare(
    'delete from reading where list = ? and domains = 0 and id < (select reading_id from list where id = reading.list)',
  );
  return {
    /** The row of a reading, and of its list, which are made where they are missing. */
    of(reading: Reading): ReadingRow {
      const untilMs = reading.untilMs ?? null;
      const listId = begin.get({ ...reading, untilMs }) as number;
      const values = { ...reading, untilMs, listId };
      return (same.get(values) ?? add.get(values)) as ReadingRow;
    },

    numbered: (number: number) => numbered.get(number) as ReadingRow,

    /** How many more domains are of a reading, or fewer. */
    grow(counts: ReadonlyMap<number, number>): void {
      for (const [number, domains] of counts) grow.run(domains, number);
    },

    /** Earlier readings of a list that no listed domain is of any more. */
    dropUnused: (list: number) => void dropUnused.run(list),
  };
}
