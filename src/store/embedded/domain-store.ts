/**
 * Domain records on one machine, below `domains/`:
 *
 *   domains.db   records as JSON (`domain`, `record`); the inverted index (`value`, `value_chunk`, `pending_posting`); the column store of numbers
 *                (`number_chunk`); full-text and trigram indexes; history (`change`), update log (`update_log`), tags (`tag_definition`, `tagged`)
 *   walks.db     result snapshots (historical name)
 *
 * The inverted index knows a value by a 64-bit key (`domain/value-keys.ts`); its text is stored in records alone. Its posting list
 * is a short list of ids or the chunks of a Roaring bitmap (`domain/postings.ts`). One transaction changes a record and all of its
 * index entries. Searches run in worker threads, chunk by chunk (`domain/search/match-source.ts`); reads by key run on the event
 * loop, in time slices of a few milliseconds.
 */
import { join } from 'node:path';
import { mapInSlices } from '../../concurrency/map-in-slices.ts';
import { type OnProgress, withProgress } from '../../concurrency/progress-port.ts';
import { WorkerClient } from '../../concurrency/worker-client.ts';
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import type { RecordPart } from '../../model/record/attributes.ts';
import type { Attribute, Condition } from '../../model/record/condition.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import { reindex } from '../domain/reindex.ts';
import { KeyCounts } from '../domain/search/key-counts.ts';
import type { TagStore } from '../domain/tag-store.ts';
import type { ValueKey, ValueKeys } from '../domain/value-keys.ts';
import { WithTags } from '../domain/with-tags.ts';
import type {
  DomainId,
  DomainStore,
  FieldChange,
  LoggedUpdate,
  Matches,
  RecordUpdate,
  SharedValue,
  SortOrder,
  StoredRecord,
  TopValue,
  UnparsedRecord,
  UpsertCounts,
  ValueCounts,
} from '../domain-store.ts';
import type { LogPosition } from '../paging/log-position.ts';
import { type CacheSizes, usualCacheSizes } from './cache-sizes.ts';
import { changeDetector, type Database, readTransactions } from './database.ts';
import { ChangeHistory } from './domain/change-history.ts';
import { CountCache } from './domain/count-cache.ts';
import type { DomainCalls } from './domain/domain-calls.ts';
import { openDomains } from './domain/open-domains.ts';
import { OrderedUpserts } from './domain/ordered-upserts.ts';
import { IdleMerge } from './domain/posting/idle-merge.ts';
import { Postings } from './domain/postings.ts';
import { RecordKeys } from './domain/record-keys.ts';
import { RecordRows } from './domain/record-rows.ts';
import { ResultSnapshots } from './domain/result-snapshots.ts';
import type { CountedPart } from './domain/search/count-matches.ts';
import { mayRunInline } from './domain/search/inline-search.ts';
import { Search } from './domain/search/search.ts';
import { valueKeysOf } from './domain/stored-salt.ts';
import { tagStore } from './domain/tags/tag-store.ts';
import { TaggedDomains } from './domain/tags/tagged-domains.ts';
import { textIndexCount } from './domain/text/text-indexes.ts';
import { UpdateLog } from './domain/update-log.ts';

/** Records per statement, which takes less than a millisecond. */
const readBatchSize = 32;
/** Counts per step while changes of posting lists are pending: each is then looked up in several places. */
const pendingStepKeys = 128;
/** Updates pruned per transaction. */
const pruneBatchSize = 10_000;

/** One thread each, so that quick searches never wait for slow ones and nothing waits for a verification. */
type ThreadName = 'write' | 'quick' | 'slow' | 'verify';

type DomainCaches = Pick<CacheSizes, 'domainBytes' | 'domainThreadBytes'>;

export function openDomainStore(
  data: string,
  clock: Clock,
  caches: DomainCaches = usualCacheSizes,
): DomainStore {
  return new EmbeddedDomainStore(join(data, 'domains'), clock, caches);
}

class EmbeddedDomainStore extends WithTags implements DomainStore {
  readonly #clock: Clock;
  readonly #database: Database;
  readonly #threads: WorkerClient<DomainCalls, ThreadName>;
  readonly #rows: RecordRows;
  readonly #keys: ValueKeys;
  readonly #recordKeys: RecordKeys;
  readonly #postings: Postings;
  readonly #counts: CountCache;
  readonly #merge: IdleMerge;
  readonly #upserts: OrderedUpserts;
  readonly #changes: ChangeHistory;
  readonly #log: UpdateLog;
  protected readonly tags: TagStore;
  readonly #snapshots: ResultSnapshots;
  readonly #search: Search;
  readonly #inSnapshot: (work: () => void) => void;
  readonly #changed: () => boolean;
  #state: object = {};

  constructor(directory: string, clock: Clock, { domainBytes, domainThreadBytes }: DomainCaches) {
    super();
    const path = join(directory, 'domains.db');
    this.#clock = clock;
    // The counts of 500 records are on some five thousand pages, and SQLite memory-maps only the first two gigabytes of the file.
    this.#database = openDomains(path, domainBytes);
    this.#threads = new WorkerClient({
      file: new URL('./domain/domain-worker.ts', import.meta.url),
      workerData: { path, cacheBytes: domainThreadBytes },
      owner: 'the domain store',
      finish: ['write'],
    });
    this.#rows = new RecordRows(this.#database);
    this.#keys = valueKeysOf(this.#database);
    this.#recordKeys = new RecordKeys(this.#database, this.#keys);
    this.#postings = new Postings(this.#database);
    this.#counts = new CountCache(this.#database);
    this.#merge = new IdleMerge(this.#threads.on('write', 'mergePostings'));
    this.#upserts = new OrderedUpserts({
      threads: this.#threads,
      keys: this.#keys,
      merge: this.#merge,
      clock,
    });
    this.#changes = new ChangeHistory(this.#database);
    this.#log = new UpdateLog(this.#database);
    this.#snapshots = new ResultSnapshots(directory);
    this.#search = new Search(this.#database);
    this.#inSnapshot = readTransactions(this.#database);
    this.#changed = changeDetector(this.#database);
    this.tags = tagStore(this.#threads, new TaggedDomains(this.#database), (domains, read) =>
      this.#read(domains, read),
    );
  }

  upsert(updates: readonly RecordUpdate[]): Promise<UpsertCounts> {
    return this.#upserts.upsert(updates);
  }

  findRecords(names: readonly string[]): Promise<readonly (DomainRecord | undefined)[]> {
    return this.#read(names, (name) => this.#rows.findUnparsed(name)?.parse());
  }

  findUnparsed(names: readonly string[]): Promise<readonly (UnparsedRecord | undefined)[]> {
    return this.#read(names, (name) => this.#rows.findUnparsed(name));
  }

  async getRecords(ids: readonly DomainId[], parts: readonly RecordPart[]): Promise<readonly StoredRecord[]> {
    // A single statement needs no transaction to see one snapshot.
    if (parts.length === 0 && ids.length <= readBatchSize)
      return this.#readBatch(ids, parts).map(withoutCounts);
    const kept = (await this.#read(inBatches(ids), (batch) => this.#readBatch(batch, parts))).flat();
    const counts = await this.#count(kept.flatMap(({ keys }) => keys));
    return kept.map(({ json }, index) => ({
      json,
      counts: Object.fromEntries(parts.map((part, offset) => [part, counts[index * parts.length + offset]])),
    }));
  }

  async search(condition: Condition, order: SortOrder, limit: number): Promise<Matches> {
    if (mayRunInline(condition)) {
      // A call of a thread would take longer than the search.
      const found = this.#search.findInline(condition, order);
      if (found && found.length <= limit) return { total: found.length, ids: Array.from(found) };
    }
    const thread = searchesText(condition) ? 'slow' : 'quick';
    const ids = await this.#threads.run(thread, 'search', condition, order, limit);
    return ids ? { total: ids.length, ids: Array.from(ids) } : { total: 'too-many' };
  }

  /** Writes are made by a thread, with a connection of its own, so they too count as changes by others. */
  state(): unknown {
    if (this.#changed()) this.#state = {};
    return this.#state;
  }

  async countMatches(condition: Condition): Promise<number> {
    let total = 0;
    for (let chunk: number | undefined = 0; chunk !== undefined; ) {
      const part: CountedPart = await this.#threads.run('slow', 'countMatches', condition, chunk);
      total += part.matches;
      chunk = part.nextChunk;
    }
    return total;
  }

  async sampleMatches(condition: Condition, limit: number): Promise<readonly DomainId[]> {
    return Array.from(await this.#threads.run('slow', 'sampleMatches', condition, limit));
  }

  /** A page often has the same value many times; each is looked up once. */
  async countsOf(values: readonly SharedValue[]): Promise<readonly number[]> {
    const counts = new Map<Attribute, Map<string, number>>();
    return this.#read(values, ({ attribute, value }) => {
      let known = counts.get(attribute);
      if (!known) {
        known = new Map();
        counts.set(attribute, known);
      }
      let count = known.get(value);
      if (count === undefined) {
        count = this.#postings.countOf(this.#keys.keyOf(attribute, value));
        known.set(value, count);
      }
      return count;
    });
  }

  listTopValues(
    ids: readonly DomainId[],
    attributes: readonly Attribute[],
    limit: number,
  ): Promise<readonly (readonly TopValue[])[]> {
    const sorted = Int32Array.from(ids).sort();
    return this.#threads.run('slow', 'listTopValues', sorted, attributes, limit);
  }

  averageRisksOf(values: readonly SharedValue[]): Promise<readonly (number | undefined)[]> {
    return this.#threads.run('slow', 'averageRisksOf', values);
  }

  averageRiskOf(ids: readonly DomainId[]): Promise<number | undefined> {
    return this.#threads.run('quick', 'averageRiskOf', Int32Array.from(ids));
  }

  async listChanges(
    domain: string,
    page: Parameters<DomainStore['listChanges']>[1],
  ): Promise<readonly FieldChange[]> {
    return this.#changes.list(domain, page);
  }

  async listUpdates(after: LogPosition, limit: number): Promise<readonly LoggedUpdate[]> {
    return this.#log.list(after, limit);
  }

  async pruneUpdates(beforeMs: number): Promise<void> {
    // Of a process that was killed.
    await this.mergePostings();
    const limit = pruneBatchSize;
    if (!this.#log.hasBefore(beforeMs, limit)) return;
    for (let removed = limit; removed === limit; ) {
      removed = await this.#threads.run('write', 'pruneUpdates', beforeMs, limit);
    }
  }

  async listNames(
    after: LogPosition,
    limit: number,
  ): Promise<{ names: readonly string[]; position: LogPosition }> {
    return this.#log.listNames(after, limit);
  }

  /** Ids start at 1, and rows are never removed. */
  async countNames(): Promise<number> {
    return this.#rows.lastId();
  }

  saveResultSnapshot(name: string, ids: readonly DomainId[], untilMs: number): Promise<void> {
    return this.#snapshots.save(name, ids, untilMs, this.#clock.now());
  }

  async findResultSnapshot(name: string, nowMs: number): Promise<readonly DomainId[] | undefined> {
    return this.#snapshots.find(name, nowMs);
  }

  verifyCounts(onProgress: OnProgress = () => undefined): Promise<readonly string[]> {
    return withProgress(onProgress, (sender) =>
      this.#threads.runTransferring([sender], 'verify', 'verify', sender),
    );
  }

  async reindex(onProgress: OnProgress = () => undefined): Promise<{ records: number; changed: number }> {
    const threads = this.#threads;
    const calls = {
      listMiscounted: threads.on('verify', 'listMiscounted'),
      recount: threads.on('write', 'recount'),
      reindexRecords: threads.on('write', 'reindexRecords'),
      listStaleEntries: (limit: number, report: OnProgress) =>
        withProgress(report, (sender) =>
          threads.runTransferring([sender], 'verify', 'listStaleEntries', limit, sender),
        ),
      removeStaleEntries: threads.on('write', 'removeStaleEntries'),
    };
    return reindex(calls, this.#rows.lastId(), onProgress);
  }

  async mergePostings(): Promise<void> {
    if (!this.#postings.hasPending()) return;
    while (await this.#threads.run('write', 'mergePostings'));
  }

  async mergeTextIndexes(): Promise<void> {
    for (let index = 0; index < textIndexCount; index += 1) {
      let isFirst = true;
      while (await this.#threads.run('write', 'mergeTextIndex', index, isFirst)) isFirst = false;
    }
  }

  statistics(): Promise<{ readonly records: number; readonly values: number; readonly bytes: number }> {
    return this.#threads.run('slow', 'statistics');
  }

  async close(): Promise<void> {
    this.#merge.close();
    await this.#threads.close();
    this.#snapshots.close();
    this.#database.close();
  }

  #readBatch(ids: readonly DomainId[], parts: readonly RecordPart[]): readonly KeptRecord[] {
    const texts = this.#rows.listTexts(ids);
    if (texts.length < ids.length)
      throw new Problem('not-found', `one of the domain ids ${ids.join()} does not exist`);
    const keys =
      parts.length === 0
        ? []
        : this.#recordKeys.listParts(
            ids,
            parts,
            (index) => JSON.parse(texts[index]?.[1] ?? '') as DomainRecord,
          );
    return texts.map(([, json], index) => ({ json, keys: keys[index] ?? [] }));
  }

  async #count(lists: readonly BigInt64Array[]): Promise<readonly Uint32Array[]> {
    const counted = new KeyCounts(lists);
    let unknown: readonly (readonly ValueKey[])[] = [];
    this.#inSnapshot(() => {
      this.#counts.beginTransaction();
      counted.takeKnown(this.#counts);
      unknown = counted.listUnknown(this.#postings.hasPending() ? pendingStepKeys : undefined);
    });
    await this.#read(unknown, (keys) => {
      this.#counts.beginTransaction();
      const counts = this.#postings.countsOf(keys);
      this.#counts.put(keys, counts);
      counted.put(keys, counts);
    });
    return counted.finish();
  }

  #read<Item, Result>(items: ArrayLike<Item>, work: (item: Item) => Result): Promise<Result[]> {
    return mapInSlices(items, work, this.#inSnapshot);
  }
}

const noCounts: ValueCounts = {};

function withoutCounts({ json }: KeptRecord): StoredRecord {
  return { json, counts: noCounts };
}

interface KeptRecord {
  readonly json: string;
  /** One array per requested part. */
  readonly keys: readonly BigInt64Array[];
}

function inBatches(ids: readonly DomainId[]): readonly (readonly DomainId[])[] {
  return Array.from({ length: Math.ceil(ids.length / readBatchSize) }, (_, batch) =>
    ids.slice(batch * readBatchSize, (batch + 1) * readBatchSize),
  );
}

/** Text searches may take long; searches for values and numbers never do. */
function searchesText(condition: Condition): boolean {
  if (condition.kind === 'and' || condition.kind === 'or') return condition.of.some(searchesText);
  if (condition.kind === 'not') return searchesText(condition.of);
  return condition.kind === 'whois' || condition.kind === 'contains';
}
