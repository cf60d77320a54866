/** What worker threads do with `domains.db`: all writes, searches that may take long, verification and reindexing. */
import type { MessagePort } from 'node:worker_threads';
import type { Attribute, Condition } from '../../../model/record/condition.ts';
import type { Outcome } from '../../domain/record-update.ts';
import type { IndexEntries } from '../../domain/reindex.ts';
import type { TagChange, TagReader } from '../../domain/tag-store.ts';
import type {
  DomainId,
  DomainStore,
  RecordUpdate,
  SharedValue,
  SortOrder,
  UpsertCounts,
} from '../../domain-store.ts';
import { type Database, write } from '../database.ts';
import { MergePostings } from './posting/merge-postings.ts';
import { Postings } from './postings.ts';
import type { PreparedRecords } from './prepared-records.ts';
import { RecordReindexer } from './record-reindexer.ts';
import { Search } from './search/search.ts';
import { ValueAggregates } from './search/value-aggregates.ts';
import { listMiscounted, listStaleEntries } from './stale-entries.ts';
import { TagChanges } from './tags/tag-changes.ts';
import { TaggedDomains } from './tags/tagged-domains.ts';
import { Tagging, type TaggingChange } from './tags/tagging.ts';
import { TextIndexes } from './text/text-indexes.ts';
import { UpdateLog } from './update-log.ts';
import { Upserts } from './upserts.ts';
import { verifyCounts } from './verify.ts';

export type DomainCalls = ReturnType<typeof domainCalls>;

export function domainCalls(database: Database) {
  const upserts = new Upserts(database);
  const log = new UpdateLog(database);
  const tagging = new Tagging(database);
  const tagChanges = new TagChanges(database);
  const tagged = new TaggedDomains(database);
  const search = new Search(database);
  const aggregates = new ValueAggregates(database);
  const texts = new TextIndexes(database);
  const reindexer = new RecordReindexer(database);
  const merge = new MergePostings(database);
  const mergePostings = () => write(database, () => merge.step());

  const store = async <Counts extends UpsertCounts | undefined>(nowMs: number, work: () => Counts) => {
    if (merge.isDue()) while (await mergePostings());
    const counts = await write(database, () => {
      upserts.begin(nowMs);
      return work();
    });
    upserts.end();
    return counts && { counts, isPending: merge.isPending() };
  };

  return {
    /** Each chunk is the JSON of a list of `RecordUpdate`s. */
    upsert: (chunks: readonly Uint8Array[], nowMs: number) => store(nowMs, () => upsertAll(upserts, chunks)),

    /** Undefined, and nothing is done, unless all domains are new. */
    addNew: (batch: readonly PreparedRecords[], nowMs: number) => store(nowMs, () => addAll(upserts, batch)),

    /** Whether there is more to merge. */
    mergePostings,

    /** The number of rows removed. */
    pruneUpdates: (beforeMs: number, limit: number) => write(database, () => log.prune(beforeMs, limit)),

    /** Whether there may be more to merge. */
    mergeTextIndex: (index: number, isFirst: boolean) => write(database, () => texts.merge(index, isFirst)),

    tag: (change: TaggingChange) => write(database, () => tagging.change(change)),

    changeTag: (id: string, change: TagChange, reader: TagReader) =>
      write(database, () => tagChanges.change(id, change, reader)),

    deleteTag: (id: string, reader: TagReader) => write(database, () => tagChanges.delete(id, reader)),

    /** Whether there may be more to sweep. */
    sweepTags: (nowMs: number, limit: number) => write(database, () => tagChanges.sweep(nowMs, limit)),

    findTag: (id: string, reader: TagReader) =>
      database.transaction(() => tagged.findDefinition(id, reader))(),

    listTags: (reader: TagReader, limit: number) => database.transaction(() => tagged.list(reader, limit))(),

    listTaggedDomains: (
      label: string,
      reader: TagReader,
      page: { readonly after: string; readonly limit: number },
    ) => database.transaction(() => tagged.listDomains(label, reader, page))(),

    averageRisksOfTags: (ids: readonly string[]) => database.transaction(() => tagged.averageRisks(ids))(),

    listTagOverlap: (
      label: string,
      reader: TagReader,
      limits: Parameters<DomainStore['listTagOverlap']>[2],
    ) => database.transaction(() => tagged.overlap(label, reader, limits))(),

    /** Undefined for more matches than the limit. */
    search: (condition: Condition, order: SortOrder, limit: number) => search.find(condition, order, limit),

    countMatches: (condition: Condition, fromChunk: number) => search.count(condition, fromChunk),

    sampleMatches: (condition: Condition, limit: number) => search.sample(condition, limit),

    listTopValues: (ids: Int32Array, attributes: readonly Attribute[], limit: number) =>
      aggregates.listTopValues(ids, attributes, limit),

    averageRisksOf: (values: readonly SharedValue[]) => aggregates.averageRisksOf(values),

    averageRiskOf: (ids: Int32Array) => aggregates.averageRiskOf(ids),

    statistics: () => database.transaction(() => statisticsOf(database))(),

    verify: (progress: MessagePort) =>
      verifyCounts(database, (done, all) => progress.postMessage([done, all])),

    listMiscounted: () => listMiscounted(database),

    recount: (keys: BigInt64Array) => reindexer.recount(keys),

    /** The ids that changed. */
    reindexRecords: (firstId: DomainId, lastId: DomainId) => reindexer.reindex(firstId, lastId),

    listStaleEntries: (limit: number, progress: MessagePort) =>
      listStaleEntries(database, limit, (done, all) => progress.postMessage([done, all])),

    /** The ids of the domains that lost an entry. */
    removeStaleEntries: (entries: IndexEntries) => reindexer.removeStale(entries),
  };
}

function upsertAll(upserts: Upserts, chunks: readonly Uint8Array[]): UpsertCounts {
  const counts: Record<Outcome, number> = { added: 0, changed: 0, unchanged: 0 };
  for (const { buffer, byteOffset, byteLength } of chunks) {
    const json = Buffer.from(buffer, byteOffset, byteLength).toString();
    for (const update of JSON.parse(json) as RecordUpdate[]) counts[upserts.apply(update)] += 1;
  }
  upserts.flush();
  return counts;
}

function addAll(upserts: Upserts, batch: readonly PreparedRecords[]): UpsertCounts | undefined {
  if (!upserts.addPrepared(batch)) return undefined;
  upserts.flush();
  const added = batch.reduce((sum, { recordEnds }) => sum + recordEnds.length, 0);
  return { added, changed: 0, unchanged: 0 };
}

type Statistics = Awaited<ReturnType<DomainStore['statistics']>>;

/** Counting values scans their whole table. */
function statisticsOf(database: Database): Statistics {
  const one = (sql: string) => database.prepare(sql).pluck().get() as number;
  return {
    records: one('select count(*) from domain'),
    values: new Postings(database).countValues(),
    bytes: one('select page_count * page_size from pragma_page_count, pragma_page_size'),
  };
}
