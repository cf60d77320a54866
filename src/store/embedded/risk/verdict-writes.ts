/**
 * Takes what a reading names. A domain that is named again costs the number of its reading alone, and nobody is told. What is taken at once
 * is sorted first: in the order of the table, each of its pages is touched once.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Reading } from '../../risk-store.ts';
import { type Database, write } from '../database.ts';
import { readingRows } from './reading-rows.ts';
import { saysOther, verdictChanges } from './verdict-changes.ts';

/** In one transaction: others wait no longer than for these. */
const writtenAtOnce = 10_000;

interface Before {
  /** Null: on the list for the first time. */
  readonly reading: number | null;
  readonly domains: number;
}

export function verdictWrites(database: Database) {
  const readings = readingRows(database);
  const changes = verdictChanges(database);
  const before = database.prepare(
    `select listed.reading, count(*) as domains
     from json_each(:ranks) taken left join listed on listed.domain = taken.key and listed.list = :list
     group by listed.reading`,
  );
  const put = database.prepare(
    `insert into listed (domain, list, reading, rank)
     select key, :list, :number, value from json_each(:ranks) where true
     on conflict do update set
       reading = excluded.reading,
       rank = iif(reading = excluded.reading,
         min(ifnull(rank, excluded.rank), ifnull(excluded.rank, rank)), excluded.rank)
     where reading not in (select value from json_each(:later))`,
  );

  const take = (reading: Reading, ranks: string) => {
    const row = readings.of(reading);
    const { list, number } = row;
    const counts = new Map([[number, 0]]);
    const [later, told]: [number[], (number | null)[]] = [[], []];
    for (const { reading: from, domains } of before.all({ ranks, list }) as Before[]) {
      if (from === number) continue;
      const earlier = from === null ? undefined : readings.numbered(from);
      if (earlier && earlier.id > row.id) {
        later.push(earlier.number);
        continue;
      }
      counts.set(number, (counts.get(number) ?? 0) + domains);
      if (earlier) counts.set(earlier.number, -domains);
      if (saysOther(earlier, row)) told.push(from);
    }
    if (told.length > 0) changes.appendTaken(ranks, list, told);
    put.run({ ranks, list, number, later: JSON.stringify(later) });
    readings.grow(counts);
  };

  return {
    /** Each line is a domain, with its rank behind a space if it has one. */
    async takeListed(reading: Reading, lines: string): Promise<void> {
      const sorted = lines.split('\n').sort();
      for (let from = 0; from < sorted.length; from += writtenAtOnce) {
        const ranks = ranksOf(sorted.slice(from, from + writtenAtOnce));
        await write(database, () => take(reading, ranks));
        await turn();
      }
    },
  };
}

/** JSON with the rank of each domain. Hosts of one domain have ranks of their own, and the best is the domain's. */
function ranksOf(lines: readonly string[]): string {
  const members: string[] = [];
  let [last, best] = ['', Infinity];
  for (const line of lines) {
    const space = line.indexOf(' ');
    const domain = space < 0 ? line : line.slice(0, space);
    const rank = space < 0 ? Infinity : Number(line.slice(space + 1));
    if (domain === last) members.pop();
    best = domain === last ? Math.min(rank, best) : rank;
    last = domain;
    members.push(`${JSON.stringify(domain)}:${best === Infinity ? 'null' : best}`);
  }
  return `{${members.join(',')}}`;
}
