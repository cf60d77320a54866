/** Reads verdicts, their changes and the reputation lists. */
import type { Verdict, VerdictLabel } from '../../../model/risk/verdict.ts';
import type { ReputationList, VerdictChange } from '../../risk-store.ts';
import type { Database } from '../database.ts';

interface VerdictRow {
  readonly list: string;
  readonly label: VerdictLabel;
  readonly weight: number;
  readonly rank: number | null;
}

interface ListRow {
  readonly list: string;
  readonly label: VerdictLabel;
  readonly domains: number;
  readonly readMs: number | null;
  readonly place: string | null;
}

export function verdictReads(database: Database) {
  const verdicts = database.prepare(
    `select list.name as list, reading.label, reading.weight, listed.rank
     from listed join reading on reading.number = listed.reading join list on list.id = listed.list
     where listed.domain = ? and (reading.until_ms is null or reading.until_ms > ?)
     order by listed.list`,
  );
  const changes = database.prepare('select id, domain from verdict_change where id > ? order by id limit ?');
  const lists = database.prepare(
    `select name as list, label, read_ms as readMs, place,
       (select ifnull(sum(domains), 0) from reading where reading.list = list.id) as domains
     from list order by name`,
  );
  const expired = database.prepare('select 1 from reading where until_ms <= ? and domains > 0 limit 1');
  const others = database.prepare(
    'select 1 from list where name not in (select value from json_each(?)) limit 1',
  );
  return {
    hasExpired: (nowMs: number): boolean => expired.get(nowMs) !== undefined,

    hasListsExcept: (names: readonly string[]): boolean => others.get(JSON.stringify(names)) !== undefined,

    find: (domain: string, nowMs: number): readonly Verdict[] =>
      (verdicts.all(domain, nowMs) as VerdictRow[]).map(({ list, label, weight, rank }) =>
        rank === null ? { list, label, weight } : { list, label, weight, rank },
      ),

    changes: (afterId: number, limit: number): readonly VerdictChange[] =>
      (changes.all(afterId, limit) as { id: number; domain: string }[]).map(({ id, domain }) => ({
        position: String(id),
        domain,
      })),

    lists: (): readonly ReputationList[] =>
      (lists.all() as ListRow[]).map(({ list, label, domains, readMs, place }) => ({
        list,
        label,
        domains,
        readMs: readMs ?? undefined,
        checkpoint: place ?? undefined,
      })),
  };
}
