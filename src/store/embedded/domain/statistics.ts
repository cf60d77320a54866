/** How much there is. Counting values goes through all of them, so a thread does it. */
import type { DomainStore } from '../../domain-store.ts';
import type { Database } from '../database.ts';

export type Statistics = Awaited<ReturnType<DomainStore['statistics']>>;

export function statisticsOf(database: Database): Statistics {
  const one = (sql: string) => database.prepare(sql).pluck().get() as number;
  return {
    records: one('select count(*) from domain'),
    values: one('select count(*) from value'),
    bytes: one('select page_count * page_size from pragma_page_count, pragma_page_size'),
  };
}
