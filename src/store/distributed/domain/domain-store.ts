/**
 * Domain records in PostgreSQL, in one database or spread over several by a hash of the domain. The inverted index is ours, as in the embedded store: a value
 * is known by a 64-bit key, and its posting list is packed into few rows (`posting/`). One transaction changes a record and all of its index entries, under a
 * lock that all writers of a shard wait for (`record-state.ts`). A search reads one moment of each shard. Tags and result snapshots are in the main database.
 */

import type { OnProgress } from '../../../concurrency/progress-port.ts';
import { SharedCalls } from '../../../concurrency/shared-calls.ts';
import type { Clock } from '../../../model/clock.ts';
import type { RecordPart } from '../../../model/record/attributes.ts';
import type { Attribute, Condition } from '../../../model/record/condition.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { sampledIds } from '../../domain/search/sampled-ids.ts';
import { TopValues } from '../../domain/search/top-values.ts';
import type { TagStore } from '../../domain/tag-store.ts';
import type { ValueKeys } from '../../domain/value-keys.ts';
import { WithTags } from '../../domain/with-tags.ts';
import type {
  DomainId,
  DomainStore,
  Matches,
  RecordUpdate,
  SharedValue,
  SortOrder,
  UnparsedRecord,
  UpsertCounts,
} from '../../domain-store.ts';
import type { LogPosition } from '../../paging/log-position.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import { countsInShards, RecordReader, readRecords } from './read-records.ts';
import { RecordShard } from './record-shard.ts';
import { changeCountOf, sharedValueKeys } from './record-state.ts';
import { ResultSnapshots } from './result-snapshots.ts';
import { sortedMatches } from './search/sorted-matches.ts';
import { averageOf } from './search/value-aggregates.ts';
import { globalChunk, globalId, idsByShard, localId, shardOfId, shardOfName } from './shard-ids.ts';
import { listNames, listUpdates } from './shard-logs.ts';
import { mergeTextIndexes, statisticsOf } from './statistics.ts';
import { tagStore } from './tags/tag-store.ts';
import { findTagged } from './tags/tagged-domains.ts';
import { requireName } from './upsert-batch.ts';

/** Without `shards` the records are in the main database. */
export function openDomainStore(
  main: PostgresDatabase,
  clock: Clock,
  shards: readonly PostgresDatabase[] = [],
): DomainStore {
  return new PostgresDomainStore(main, clock, shards.length === 0 ? [main] : shards);
}

const stateCallsMax = 1000;

class PostgresDomainStore extends WithTags implements DomainStore {
  readonly #clock: Clock;
  readonly #databases: readonly PostgresDatabase[];
  readonly #readers: readonly RecordReader[];
  readonly #keys: () => Promise<ValueKeys>;
  readonly #shards: readonly RecordShard[];
  readonly #snapshots: ResultSnapshots;
  readonly #states: SharedCalls<undefined, string>;
  protected readonly tags: TagStore;

  constructor(main: PostgresDatabase, clock: Clock, databases: readonly PostgresDatabase[]) {
    super();
    this.#clock = clock;
    this.#databases = databases;
    this.#readers = databases.map((database) => new RecordReader(database));
    this.#keys = sharedValueKeys(databases);
    this.#shards = databases.map(
      (database, shard) =>
        new RecordShard({ database, clock, keys: this.#keys, findTagged: taggedIn(main, database, shard) }),
    );
    this.#snapshots = new ResultSnapshots(main);
    this.#states = new SharedCalls(async (calls) => {
      const counts = await Promise.all(
        [...new Set([main, ...databases])].map((database) => database.read(changeCountOf)),
      );
      return calls.map(() => counts.join());
    }, stateCallsMax);
    this.tags = tagStore(main, {
      findIds: (names) => this.#findIds(names),
      namesOf: (ids) => this.#namesOf(ids),
      averageRiskOf: (ids) => this.averageRiskOf(ids),
    });
  }

  /** Atomic in each shard. */
  async upsert(updates: readonly RecordUpdate[]): Promise<UpsertCounts> {
    const grouped = this.#byName(updates, ({ record }) => requireName(record));
    const used = this.#shards.map((shard, at) => [shard, grouped[at] ?? []] as const);
    const counts = await Promise.all(
      used.filter(([, of]) => of.length > 0 || used.length === 1).map(([shard, of]) => shard.upsert(of)),
    );
    const sum = (one: keyof UpsertCounts) => counts.reduce((all, each) => all + each[one], 0);
    return { added: sum('added'), changed: sum('changed'), unchanged: sum('unchanged') };
  }

  async findRecords(names: readonly string[]): Promise<readonly (DomainRecord | undefined)[]> {
    return (await this.findUnparsed(names)).map((found) => found?.parse());
  }

  async findUnparsed(names: readonly string[]): Promise<readonly (UnparsedRecord | undefined)[]> {
    const grouped = this.#byName(names, (name) => name);
    const found = await Promise.all(this.#shards.map((shard, at) => shard.findTexts(grouped[at] ?? [])));
    return names.map((name) => {
      const json = found[this.#shardOf(name)]?.get(name);
      return json === undefined ? undefined : { json, parse: () => JSON.parse(json) as DomainRecord };
    });
  }

  getRecords(ids: readonly DomainId[], parts: readonly RecordPart[]) {
    return readRecords(this.#readers, ids, parts);
  }

  async search(condition: Condition, order: SortOrder, limit: number): Promise<Matches> {
    const found = await Promise.all(this.#shards.map(({ search }) => search.find(condition, order, limit)));
    const known = found.filter((keys) => keys !== undefined);
    const total = known.reduce((sum, keys) => sum + keys.length, 0);
    if (known.length < found.length || total > limit) return { total: 'too-many' };
    return { total, ids: sortedMatches(known, order) };
  }

  /** Calls that come together share a statement. */
  state(): Promise<unknown> {
    return this.#states.call(undefined);
  }

  async countMatches(condition: Condition): Promise<number> {
    const counts = await Promise.all(this.#shards.map(({ search }) => search.count(condition)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async sampleMatches(condition: Condition, limit: number): Promise<readonly DomainId[]> {
    const found = await Promise.all(this.#shards.map(({ search }) => search.sample(condition)));
    const lows = found.flatMap((ofShard, shard) =>
      ofShard.map((one) => ({ ...one, chunk: globalChunk(shard, one.chunk) })),
    );
    return sampledIds(lows, limit);
  }

  async countsOf(values: readonly SharedValue[]): Promise<readonly number[]> {
    const valueKeys = await this.#keys();
    const keys = values.map(({ attribute, value }) => valueKeys.keyOf(attribute, value));
    const distinct = Array.from(BigInt64Array.from(new Set(keys)).sort());
    const counts = await countsInShards(this.#databases, distinct);
    const known = new Map(distinct.map((key, at) => [key, counts[at] as number]));
    return keys.map((key) => known.get(key) as number);
  }

  async listTopValues(ids: readonly DomainId[], attributes: readonly Attribute[], limit: number) {
    const top = new TopValues(await this.#keys(), attributes);
    for (const [shard, some] of idsByShard(ids, this.#shards.length).entries())
      await this.#shards[shard]?.aggregates.countValues(top, some);
    return attributes.map((attribute) => top.list(attribute, limit));
  }

  async averageRisksOf(values: readonly SharedValue[]): Promise<readonly (number | undefined)[]> {
    const sums = await Promise.all(this.#shards.map(({ aggregates }) => aggregates.risksOf(values)));
    return values.map((_, at) => averageOf(sums.flatMap((ofShard) => ofShard[at] ?? [])));
  }

  async averageRiskOf(ids: readonly DomainId[]): Promise<number | undefined> {
    const grouped = idsByShard(ids, this.#shards.length);
    return averageOf(
      await Promise.all(this.#shards.map(({ aggregates }, at) => aggregates.riskOf(grouped[at] ?? []))),
    );
  }

  async listChanges(domain: string, page: Parameters<DomainStore['listChanges']>[1]) {
    return (this.#shards[this.#shardOf(domain)] as RecordShard).log.listChanges(domain, page);
  }

  listUpdates(after: LogPosition, limit: number) {
    return listUpdates(this.#logs(), after, limit);
  }

  async pruneUpdates(beforeMs: number): Promise<void> {
    for (const log of this.#logs()) await log.prune(beforeMs);
  }

  listNames(after: LogPosition, limit: number) {
    return listNames(this.#logs(), after, limit);
  }

  async countNames(): Promise<number> {
    const counts = await Promise.all(this.#shards.map((shard) => shard.countNames()));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  saveResultSnapshot(name: string, ids: readonly DomainId[], untilMs: number): Promise<void> {
    return this.#snapshots.save(name, ids, { untilMs, nowMs: this.#clock.now() });
  }

  findResultSnapshot(name: string, nowMs: number) {
    return this.#snapshots.find(name, nowMs);
  }

  async verifyCounts(onProgress: OnProgress = () => undefined): Promise<readonly string[]> {
    const faults: string[] = [];
    const reported = await this.#reported(onProgress);
    for (const shard of this.#shards) faults.push(...(await shard.verifyCounts(reported.next())));
    return faults;
  }

  async reindex(onProgress: OnProgress = () => undefined): Promise<{ records: number; changed: number }> {
    const sum = { records: 0, changed: 0 };
    const reported = await this.#reported(onProgress);
    for (const shard of this.#shards) {
      const { records, changed } = await shard.reindex(reported.next());
      sum.records += records;
      sum.changed += changed;
    }
    return sum;
  }

  /** Posting lists are merged with every write. */
  async mergePostings(): Promise<void> {}

  async mergeTextIndexes(): Promise<void> {
    for (const database of this.#databases) await mergeTextIndexes(database);
  }

  async statistics() {
    const all = await Promise.all(this.#databases.map(statisticsOf));
    const sum = (one: 'records' | 'values' | 'bytes') => all.reduce((total, each) => total + each[one], 0);
    return { records: sum('records'), values: sum('values'), bytes: sum('bytes') };
  }

  async close(): Promise<void> {
    await Promise.all(this.#shards.map((shard) => shard.close()));
  }

  #logs() {
    return this.#shards.map(({ log }) => log);
  }

  #shardOf(name: string): number {
    return shardOfName(name, this.#shards.length);
  }

  #byName<Item>(items: readonly Item[], nameOf: (item: Item) => string): readonly (readonly Item[])[] {
    const grouped = this.#shards.map((): Item[] => []);
    for (const item of items) grouped[this.#shardOf(nameOf(item))]?.push(item);
    return grouped;
  }

  async #findIds(names: readonly string[]): Promise<ReadonlyMap<string, DomainId>> {
    const grouped = this.#byName(names, (name) => name);
    const found = await Promise.all(this.#shards.map((shard, at) => shard.findIds(grouped[at] ?? [])));
    return new Map(
      found.flatMap((ofShard, shard) => Array.from(ofShard, ([name, id]) => [name, globalId(shard, id)])),
    );
  }

  async #namesOf(ids: readonly DomainId[]): Promise<readonly string[]> {
    const grouped = idsByShard(ids, this.#shards.length);
    const found = await Promise.all(this.#shards.map((shard, at) => shard.namesOf(grouped[at] ?? [])));
    return ids.map((id) => found[shardOfId(id)]?.get(localId(id)) as string);
  }

  /** The progress of one shard after the other, among all records. */
  async #reported(onProgress: OnProgress) {
    const counts = await Promise.all(this.#shards.map((shard) => shard.countNames()));
    const all = counts.reduce((sum, count) => sum + count, 0);
    let [shard, before] = [0, 0];
    return {
      next: (): OnProgress => {
        const from = before;
        before += counts[shard++] ?? 0;
        return (done) => onProgress(Math.min(from + done, all), all);
      },
    };
  }
}

/** Which domains of a shard have tags. Where they are in the same database, they are of the same moment. */
function taggedIn(main: PostgresDatabase, database: PostgresDatabase, shard: number) {
  return async (sql: Transaction, condition: Extract<Condition, { kind: 'tagged' }>) => {
    const ids = await (database === main
      ? findTagged(sql, condition)
      : main.read((own) => findTagged(own, condition)));
    return ids.filter((id) => shardOfId(id) === shard).map(localId);
  };
}
