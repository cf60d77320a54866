/** The records of one database, by their ids in it. */
import type { OnProgress } from '../../../concurrency/progress-port.ts';
import type { Clock } from '../../../model/clock.ts';
import { reindex } from '../../domain/reindex.ts';
import type { ValueKeys } from '../../domain/value-keys.ts';
import type { DomainId, RecordUpdate, UpsertCounts } from '../../domain-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { GatheredUpserts } from './gathered-upserts.ts';
import { RecordLog } from './record-log.ts';
import { findIds, findRowsByName, namesOf } from './record-rows.ts';
import { lastDomainId } from './record-state.ts';
import { reindexCalls } from './reindex/reindex-calls.ts';
import { verifyCounts } from './reindex/verify.ts';
import { type FindTagged, QueryPlanner } from './search/query-planner.ts';
import { Search } from './search/search.ts';
import { ValueAggregates } from './search/value-aggregates.ts';
import { upsertAll } from './upsert-batch.ts';

/** Records that are read by one statement. */
const batchRecords = 500;

interface Needs {
  readonly database: PostgresDatabase;
  readonly clock: Clock;
  /** The same for all shards. */
  readonly keys: () => Promise<ValueKeys>;
  readonly findTagged: FindTagged;
}

export class RecordShard {
  readonly log: RecordLog;
  readonly search: Search;
  readonly aggregates: ValueAggregates;
  readonly #needs: Needs;
  readonly #upserts: GatheredUpserts;

  constructor(needs: Needs) {
    const { database, keys, findTagged } = needs;
    this.#needs = needs;
    this.#upserts = new GatheredUpserts((updates) => this.#upsertAll(updates));
    this.log = new RecordLog(database);
    this.search = new Search(database, async () => new QueryPlanner(await keys(), findTagged));
    this.aggregates = new ValueAggregates(database, keys);
  }

  upsert(updates: readonly RecordUpdate[]): Promise<UpsertCounts> {
    return this.#upserts.upsert(updates);
  }

  /** The JSON of records, by name. */
  async findTexts(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (let at = 0; at < names.length; at += batchRecords) {
      const some = names.slice(at, at + batchRecords);
      for (const { name, record } of await this.#needs.database.read((sql) => findRowsByName(sql, some)))
        found.set(name, record);
    }
    return found;
  }

  findIds(names: readonly string[]): Promise<ReadonlyMap<string, DomainId>> {
    return this.#needs.database.read((sql) => findIds(sql, names));
  }

  namesOf(ids: readonly DomainId[]): Promise<ReadonlyMap<DomainId, string>> {
    return this.#needs.database.read((sql) => namesOf(sql, ids));
  }

  countNames(): Promise<number> {
    return this.#needs.database.read(lastDomainId);
  }

  async verifyCounts(onProgress: OnProgress): Promise<readonly string[]> {
    const keys = await this.#needs.keys();
    return this.#needs.database.longSnapshot((sql) => verifyCounts(sql, keys, onProgress));
  }

  async reindex(onProgress: OnProgress): Promise<{ records: number; changed: number }> {
    const calls = reindexCalls(this.#needs.database, await this.#needs.keys());
    return reindex(calls, await this.countNames(), onProgress);
  }

  close(): Promise<void> {
    return this.#upserts.close();
  }

  async #upsertAll(updates: readonly RecordUpdate[]) {
    const { database, clock } = this.#needs;
    const keys = await this.#needs.keys();
    const nowMs = clock.now();
    return database.write((sql) => upsertAll(sql, keys, updates, nowMs));
  }
}
