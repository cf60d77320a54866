/** What the tables of records have, and the upkeep of their text indexes. */
import type { DomainStore } from '../../domain-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';

const tables = [
  'record_state',
  'record_domain',
  'record',
  'record_value',
  'record_value_page',
  'record_number_page',
  'record_text_value',
  'record_whois',
  'record_past_whois',
  'record_change',
  'record_update',
];

const textIndexes = [
  'record_domain_part',
  'record_text_value_part',
  'record_whois_terms',
  'record_past_whois_terms',
];

/** Counting values scans their whole table. */
export async function statisticsOf(
  database: PostgresDatabase,
): Promise<Awaited<ReturnType<DomainStore['statistics']>>> {
  const [row] = await database.read(
    (sql) => sql<{ records: number; values: number; bytes: number }[]>`
      select last_domain_id as records, (select count(*)::int from record_value) as values,
        (select sum(pg_total_relation_size(name::regclass))::float8 from unnest(${tables}::text[]) as given (name)) as bytes
      from record_state`,
  );
  return row as { records: number; values: number; bytes: number };
}

/** Entries of recent writes wait in a list of each index, which every search reads. */
export async function mergeTextIndexes(database: PostgresDatabase): Promise<void> {
  for (const index of textIndexes)
    await database.read((sql) => sql<object[]>`select gin_clean_pending_list(${index}::regclass)`);
}
