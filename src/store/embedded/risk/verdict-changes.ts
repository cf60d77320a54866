/** The change log of verdicts: domains whose verdict changed, in order. */
import { type Database, write } from '../database.ts';

const pruneBatchSize = 20_000;

export function verdictChanges(database: Database) {
  const append = database.prepare('insert into verdict_change (domain) values (?)');
  const appendListed = database.prepare(
    `insert into verdict_change (domain)
     select added.key from json_each(:ranks) added
     left join listed on listed.domain = added.key and listed.list = :list
     where ifnull(listed.reading, 0) in (select value from json_each(:snapshots))`,
  );
  const first = database.prepare('select id from verdict_change order by id limit 1').pluck();
  const remove = database.prepare('delete from verdict_change where id <= ?');
  return {
    /** Within the caller's transaction. */
    append: (domain: string) => void append.run(domain),

    /** Of domains about to be added, those that are still in one of these snapshots of the list; null stands for none. */
    appendListed(ranks: string, list: number, snapshots: readonly (number | null)[]): void {
      const numbers = snapshots.map((number) => number ?? 0);
      appendListed.run({ ranks, list, snapshots: JSON.stringify(numbers) });
    },

    async prune(uptoId: number): Promise<void> {
      for (;;) {
        const firstId = first.get() as number | undefined;
        if (firstId === undefined || firstId > uptoId) return;
        await write(database, () => void remove.run(Math.min(uptoId, firstId + pruneBatchSize)));
      }
    },
  };
}
