/** What the worker thread does with `risks.db`: all writes. */
import { cacheSizePragma } from '../cache-sizes.ts';
import { type Database, write } from '../database.ts';
import { badLinkWrites } from './bad-link-writes.ts';
import { verdictChanges } from './verdict-changes.ts';
import { verdictRemovals } from './verdict-removals.ts';
import { verdictWrites } from './verdict-writes.ts';

const walPages = 8192;

export type RiskCalls = ReturnType<typeof riskCalls>;

/** Each batch of a list snapshot touches pages all over the table: a large cache pays off. */
export function riskCalls(database: Database, cacheBytes: number) {
  database.pragma(cacheSizePragma(cacheBytes));
  database.pragma(`wal_autocheckpoint = ${walPages}`);
  const changes = verdictChanges(database);
  const putCheckpoint = database.prepare(
    'insert into reader (name, place) values (?, ?) on conflict do update set place = excluded.place',
  );
  return {
    ...verdictWrites(database),
    ...verdictRemovals(database),
    ...badLinkWrites(database),
    pruneVerdictChanges: (uptoId: number) => changes.prune(uptoId),
    setCheckpoints: (checkpoints: Readonly<Record<string, string>>) =>
      write(database, () => {
        for (const [consumer, checkpoint] of Object.entries(checkpoints))
          putCheckpoint.run(consumer, checkpoint);
      }),
  };
}
