/**
 * Adds the domains of a list snapshot. A domain that was already listed with the same verdict only gets the number of the new snapshot,
 * and no change is logged. Batches are sorted, so that each page of the table is touched once.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { bestRanks } from '../../risk/best-ranks.ts';
import { isLoggedChange } from '../../risk/logged-change.ts';
import type { ListedDomain, ListSnapshot } from '../../risk-store.ts';
import { type Database, write } from '../database.ts';
import { snapshotRows } from './snapshot-rows.ts';
import { verdictChanges } from './verdict-changes.ts';

/** Domains per transaction: other writers wait no longer than for one. */
const writeBatchSize = 10_000;

interface Before {
  /** Null where the domain is new to the list. */
  readonly reading: number | null;
  readonly domains: number;
}

export function verdictWrites(database: Database) {
  const snapshots = snapshotRows(database);
  const changes = verdictChanges(database);
  const before = database.prepare(
    `select listed.reading, count(*) as domains
     from json_each(:ranks) added left join listed on listed.domain = added.key and listed.list = :list
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

  const add = (snapshot: ListSnapshot, ranks: string) => {
    const row = snapshots.of(snapshot);
    const { list, number } = row;
    const counts = new Map([[number, 0]]);
    const [later, changed]: [number[], (number | null)[]] = [[], []];
    for (const { reading: from, domains } of before.all({ ranks, list }) as Before[]) {
      if (from === number) continue;
      const earlier = from === null ? undefined : snapshots.numbered(from);
      if (earlier && earlier.id > row.id) {
        later.push(earlier.number);
        continue;
      }
      counts.set(number, (counts.get(number) ?? 0) + domains);
      if (earlier) counts.set(earlier.number, -domains);
      if (isLoggedChange(earlier, row)) changed.push(from);
    }
    if (changed.length > 0) changes.appendListed(ranks, list, changed);
    put.run({ ranks, list, number, later: JSON.stringify(later) });
    snapshots.addCounts(counts);
  };

  return {
    /** Each line is a domain, followed by a space and its rank if it has one. */
    async addListed(snapshot: ListSnapshot, lines: string): Promise<void> {
      const sorted = lines.split('\n').sort();
      for (let from = 0; from < sorted.length; from += writeBatchSize) {
        const ranks = ranksOf(sorted.slice(from, from + writeBatchSize));
        await write(database, () => add(snapshot, ranks));
        await yieldToEventLoop();
      }
    },
  };
}

/** JSON with the rank of each domain: the best rank of its hosts. */
function ranksOf(lines: readonly string[]): string {
  const members = [...bestRanks(lines.map(listedDomain))].map(
    ([domain, rank]) => `${JSON.stringify(domain)}:${rank ?? 'null'}`,
  );
  return `{${members.join(',')}}`;
}

function listedDomain(line: string): ListedDomain {
  const space = line.indexOf(' ');
  return space < 0 ? { domain: line } : { domain: line.slice(0, space), rank: Number(line.slice(space + 1)) };
}
