/** What a thread does with `risks.db`: everything that changes it. */
import { type Database, write } from '../database.ts';
import { badLinkWrites } from './bad-link-writes.ts';
import { verdictChanges } from './verdict-changes.ts';
import { verdictRemovals } from './verdict-removals.ts';
import { verdictWrites } from './verdict-writes.ts';

/** A reading touches pages all over the table, and again with its next domains. */
const cacheKilobytes = 32_768;
const logPages = 8192;

export type RiskWork = ReturnType<typeof riskWork>;

export function riskWork(database: Database) {
  database.pragma(`cache_size = ${-cacheKilobytes}`);
  database.pragma(`wal_autocheckpoint = ${logPages}`);
  const changes = verdictChanges(database);
  const reach = database.prepare(
    'insert into reader (name, place) values (?, ?) on conflict do update set place = excluded.place',
  );
  return {
    ...verdictWrites(database),
    ...verdictRemovals(database),
    ...badLinkWrites(database),
    pruneVerdictChanges: (uptoId: number) => changes.prune(uptoId),
    setPlace: (reader: string, place: number) => write(database, () => void reach.run(reader, place)),
  };
}
