/** Domains of which lists say something else than before, in the order in which they began to. */
import type { VerdictLabel } from '../../../model/risk/verdict.ts';
import { type Database, write } from '../database.ts';

const prunedAtOnce = 20_000;

/** What a list says of a domain; undefined: nothing. */
export type Said = { readonly label: VerdictLabel; readonly weight: number } | undefined;

/** Ranks of popular domains are too many and too unsteady to be told. */
export function saysOther(before: Said, after: Said): boolean {
  const [one, other] = [tellable(before), tellable(after)];
  return one?.label !== other?.label || one?.weight !== other?.weight;
}

function tellable(said: Said): Said {
  return said?.label === 'popular' ? undefined : said;
}

export function verdictChanges(database: Database) {
  const append = database.prepare('insert into verdict_change (domain) values (?)');
  const appendTaken = database.prepare(
    `insert into verdict_change (domain)
     select taken.key from json_each(:ranks) taken
     left join listed on listed.domain = taken.key and listed.list = :list
     where ifnull(listed.reading, 0) in (select value from json_each(:told))`,
  );
  const first = database.prepare('select id from verdict_change order by id limit 1').pluck();
  const forget = database.prepare('delete from verdict_change where id <= ?');
  return {
    /** Within a transaction of the caller's. */
    append: (domain: string) => void append.run(domain),

    /** Of domains that are about to be taken, those that are of these readings still, or of none. */
    appendTaken(ranks: string, list: number, told: readonly (number | null)[]): void {
      appendTaken.run({ ranks, list, told: JSON.stringify(told.map((number) => number ?? 0)) });
    },

    async prune(uptoId: number): Promise<void> {
      for (;;) {
        const firstId = first.get() as number | undefined;
        if (firstId === undefined || firstId > uptoId) return;
        await write(database, () => void forget.run(Math.min(uptoId, firstId + prunedAtOnce)));
      }
    },
  };
}
