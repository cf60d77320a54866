/** Runs searches, each within one snapshot of the database, and reads what the matches are sorted by. */
import type { Column, Condition } from '../../../../model/record/condition.ts';
import { chunkIds, chunkOf, lowsOf } from '../../../domain/id-chunk.ts';
import { type ChunkLows, evenly } from '../../../domain/search/sampled-ids.ts';
import type { DomainId, SortOrder } from '../../../domain-store.ts';
import type { PostgresDatabase, Sql, Transaction } from '../../postgres/database.ts';
import { readSortKeys, type SortKey } from '../column-rows.ts';
import { recordsVersion } from '../record-state.ts';
import { everyIdOf } from './id-set.ts';
import { ListedKeys } from './listed-keys.ts';
import { type MatchSource, sizeOf } from './match-source.ts';
import type { Plan, QueryPlanner } from './query-planner.ts';
import { mayRunQuickly, onlyValue, quickDomainsMax } from './quick-search.ts';
import type { FoundKeys } from './sorted-matches.ts';

/** Half a million ids: what the operators read of a column for them is eight megabytes at most. */
const chunksAtOnce = 8;
const sampledChunksMax = 8;

type GetPlanner = () => Promise<QueryPlanner>;

export class Search {
  readonly #database: PostgresDatabase;
  readonly #planner: GetPlanner;
  readonly #listed: ListedKeys;

  constructor(database: PostgresDatabase, planner: GetPlanner) {
    this.#database = database;
    this.#planner = planner;
    this.#listed = new ListedKeys(database);
  }

  /** Undefined for more matches than the limit. */
  async find(condition: Condition, order: SortOrder, limit: number): Promise<FoundKeys | undefined> {
    const value = onlyValue(condition);
    const planner = await this.#planner();
    if (value) {
      const keys = planner.keysOf(value);
      const listed = await this.#listed.find(keys, columnOf(order));
      if (listed) return listed.length > limit ? undefined : listed;
    } else if (mayRunQuickly(condition)) {
      const quick = await this.#database.read(async (sql) =>
        findQuickly(sql, await planner.plan(sql, condition), order, limit),
      );
      if (quick) return quick;
    }
    return this.#planned(condition, async (sql, { source, lastId }) => {
      const found = await collect(source, lastId, limit);
      return found && readKeys(sql, found, order);
    });
  }

  count(condition: Condition): Promise<number> {
    return this.#planned(condition, async (_, { source, lastId }) => {
      let total = 0;
      for (const chunks of await chunksInBatches(source, lastId))
        total += sizeOf(await source.narrow(everyIdOf(chunks, lastId)));
      return total;
    });
  }

  /** The matches of some chunks, which are evenly spread. */
  sample(condition: Condition): Promise<readonly ChunkLows[]> {
    return this.#planned(condition, async (_, { source, lastId }) => {
      const chunks = evenly(Array.from(await chunksOf(source, lastId)), sampledChunksMax);
      const found = await source.narrow(everyIdOf(chunks, lastId));
      return chunks.map((chunk) => ({ chunk, lows: lowsOf(found.get(chunk) ?? new Uint16Array(0)) }));
    });
  }

  async #planned<Result>(
    condition: Condition,
    work: (sql: Transaction, plan: Plan) => Promise<Result>,
  ): Promise<Result> {
    const planner = await this.#planner();
    return this.#database.snapshot(async (sql) => work(sql, await planner.plan(sql, condition)));
  }
}

/** The chunks that may have matches, in ascending order. */
async function chunksOf(source: MatchSource, lastId: DomainId): Promise<Iterable<number>> {
  return (await source.chunks?.()) ?? Array.from({ length: chunkOf(lastId) + 1 }, (_, chunk) => chunk);
}

async function chunksInBatches(
  source: MatchSource,
  lastId: DomainId,
): Promise<readonly (readonly number[])[]> {
  const chunks = Array.from(await chunksOf(source, lastId));
  return Array.from({ length: Math.ceil(chunks.length / chunksAtOnce) }, (_, batch) =>
    chunks.slice(batch * chunksAtOnce, (batch + 1) * chunksAtOnce),
  );
}

/** Undefined for more matches than the limit. */
async function collect(
  source: MatchSource,
  lastId: DomainId,
  limit: number,
): Promise<readonly DomainId[] | undefined> {
  if (await source.exceeds?.(limit)) return undefined;
  const ids: DomainId[] = [];
  for (const chunks of await chunksInBatches(source, lastId)) {
    const found = await source.narrow(everyIdOf(chunks, lastId));
    if (ids.length + sizeOf(found) > limit) return undefined;
    for (const chunk of chunks)
      for (const low of lowsOf(found.get(chunk) ?? new Uint16Array(0))) ids.push(chunk * chunkIds + low);
  }
  return ids;
}

/**
 * In two statements of their own, without a transaction around them: where the version of the records is the same at both, they have read one moment. Undefined
 * where it is not, or where there are many candidates.
 */
async function findQuickly(
  sql: Sql,
  { source, lastId, version }: Plan,
  order: SortOrder,
  limit: number,
): Promise<FoundKeys | undefined> {
  if (source.estimate > quickDomainsMax) return undefined;
  const found = await collect(source, lastId, limit);
  if (!found) return undefined;
  if (found.length === 0) {
    const isSame = source.estimate === 0 || (await recordsVersion(sql)) === version;
    return isSame ? [] : undefined;
  }
  const keys = await readKeys(sql, found, order);
  return keys.some((key) => key.version !== version) ? undefined : keys;
}

function readKeys(sql: Sql, ids: readonly DomainId[], order: SortOrder): Promise<readonly SortKey[]> {
  return readSortKeys(sql, columnOf(order), ids);
}

/** Names are read with any. */
function columnOf({ by }: SortOrder): Column {
  return by === 'domain' ? 'first_seen' : by;
}
