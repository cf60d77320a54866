/** Reads verdicts and the reputation lists. */
import type { Verdict, VerdictLabel } from '../../../model/risk/verdict.ts';
import type { ReputationList } from '../../risk-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';

/** Domains per statement. */
const batchSize = 2000;

interface VerdictRow {
  readonly domain: string;
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
  readonly checkpoint: string | null;
}

export async function findVerdicts(
  database: PostgresDatabase,
  domains: readonly string[],
  nowMs: number,
): Promise<readonly (readonly Verdict[])[]> {
  const verdicts = new Map<string, Verdict[]>(domains.map((domain) => [domain, []]));
  for (let from = 0; from < domains.length; from += batchSize) {
    const names = [...new Set(domains.slice(from, from + batchSize))];
    const rows = await database.read(
      (sql) => sql<VerdictRow[]>`
        select d.domain, l.name as list, s.label, s.weight, d.rank
        from listed_domain d join reputation_snapshot s on s.number = d.snapshot join reputation_list l on l.id = d.list
        where d.domain = any(${names}::text[]) and (s.until_ms is null or s.until_ms > ${nowMs})
        order by d.domain, d.list`,
    );
    for (const name of names) verdicts.set(name, []);
    for (const { domain, list, label, weight, rank } of rows)
      verdicts.get(domain)?.push(rank === null ? { list, label, weight } : { list, label, weight, rank });
  }
  return domains.map((domain) => verdicts.get(domain) ?? []);
}

export async function listLists(database: PostgresDatabase): Promise<readonly ReputationList[]> {
  const rows = await database.read(
    (sql) => sql<ListRow[]>`
      select name as list, label, read_ms as "readMs", checkpoint,
        (select coalesce(sum(domains), 0)::bigint from reputation_snapshot s where s.list = l.id) as domains
      from reputation_list l order by name`,
  );
  return rows.map(({ list, label, domains, readMs, checkpoint }) => ({
    list,
    label,
    domains,
    readMs: readMs ?? undefined,
    checkpoint: checkpoint ?? undefined,
  }));
}
