/** What threads do with `domains.db`: everything that writes, searches that may take long, and recounting. */
import type { MessagePort } from 'node:worker_threads';
import type { Attribute, Condition } from '../../../model/record/condition.ts';
import type { RecordUpdate, SharedValue, SortOrder, UpsertCounts } from '../../domain-store.ts';
import { type Database, write } from '../database.ts';
import { Search } from './search.ts';
import { statisticsOf } from './statistics.ts';
import { type TagChange, Tagging } from './tags.ts';
import { Tally } from './tally.ts';
import { TextIndexes } from './text-indexes.ts';
import { UpdateLog } from './update-log.ts';
import { type Outcome, Upserts } from './upserts.ts';
import { verifyCounts } from './verify.ts';

export type DomainWork = ReturnType<typeof domainWork>;

export function domainWork(database: Database) {
  const upserts = new Upserts(database);
  const log = new UpdateLog(database);
  const tagging = new Tagging(database);
  const search = new Search(database);
  const tally = new Tally(database);
  const texts = new TextIndexes(database);

  return {
    /** Each piece is JSON of a list of `RecordUpdate`s. */
    upsert: (pieces: readonly Uint8Array[], nowMs: number) =>
      write(database, () => upsertAll(upserts, pieces, nowMs)),

    /** How many went. */
    pruneUpdates: (beforeMs: number, limit: number) => write(database, () => log.prune(beforeMs, limit)),

    /** Whether there may be more to do. */
    mergeTexts: (place: number, isFirst: boolean) => write(database, () => texts.merge(place, isFirst)),

    tag: (change: TagChange) => write(database, () => tagging.tag(change)),

    /** Undefined for more than the limit. */
    search: (condition: Condition, order: SortOrder, limit: number) => search.find(condition, order, limit),

    listTopValues: (ids: Int32Array, attribute: Attribute, limit: number) =>
      tally.listTopValues(ids, attribute, limit),

    averageRisksOf: (values: readonly SharedValue[]) => tally.averageRisksOf(values),

    statistics: () => statisticsOf(database),

    verify: (progress: MessagePort) =>
      verifyCounts(database, (done, all) => progress.postMessage([done, all])),
  };
}

function upsertAll(upserts: Upserts, pieces: readonly Uint8Array[], nowMs: number): UpsertCounts {
  const counts: Record<Outcome, number> = { added: 0, changed: 0, unchanged: 0 };
  upserts.begin(nowMs);
  for (const piece of pieces) {
    const lines = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString();
    for (const update of JSON.parse(lines) as RecordUpdate[]) counts[upserts.take(update)] += 1;
  }
  upserts.finish();
  return counts;
}
