/** Runs a search within one read transaction and sorts the matches. */
import type { Condition } from '../../../../model/record/condition.ts';
import { cardinality, chunkIds, lowsOf, rangeChunk } from '../../../domain/id-chunk.ts';
import { type Ids, sortedByName, sortedByNumber } from '../../../domain/search/sorted-ids.ts';
import type { DomainId, SortOrder } from '../../../domain-store.ts';
import { type Database, readTransactions } from '../../database.ts';
import { Columns } from '../columns.ts';
import { RecordRows } from '../record-rows.ts';
import { type CountedPart, chunksOf, countPart } from './count-matches.ts';
import { inlineDomainsMax } from './inline-search.ts';
import type { MatchSource } from './match-source.ts';
import { NameCache } from './name-cache.ts';
import { QueryPlanner, type TextScanThresholds } from './query-planner.ts';
import { RowCache } from './row-cache.ts';
import { sampleOf } from './sample-matches.ts';

type Found = Ids | undefined;

export class Search {
  readonly #inSnapshot: <Result>(work: () => Result) => Result;
  readonly #rows: RecordRows;
  readonly #names: NameCache;
  readonly #columns: Columns;
  readonly #planner: QueryPlanner;
  readonly #cache: RowCache;

  constructor(database: Database, thresholds?: TextScanThresholds) {
    const cache = new RowCache(database);
    this.#rows = new RecordRows(database);
    this.#names = new NameCache(this.#rows);
    this.#columns = new Columns(database, cache);
    this.#planner = new QueryPlanner(database, cache, thresholds);
    this.#cache = cache;
    this.#inSnapshot = readTransactions(database);
  }

  /** Undefined for more matches than the limit. */
  find(condition: Condition, order: SortOrder, limit: number): Found {
    return this.#inSnapshot(() => {
      this.#cache.beginTransaction();
      const lastId = this.#rows.lastId();
      return this.#list(this.#planner.plan(condition, lastId), lastId, order, limit);
    });
  }

  /** Undefined where there are too many candidates to run the search inline. */
  findInline(condition: Condition, order: SortOrder): Found {
    return this.#inSnapshot(() => {
      this.#cache.beginTransaction();
      const lastId = this.#rows.lastId();
      const source = this.#planner.plan(condition, lastId, 'early');
      return source.estimate > inlineDomainsMax
        ? undefined
        : this.#list(source, lastId, order, inlineDomainsMax);
    });
  }

  count(condition: Condition, fromChunk: number): CountedPart {
    return this.#inSnapshot(() => {
      this.#cache.beginTransaction();
      const lastId = this.#rows.lastId();
      return countPart(this.#planner.plan(condition, lastId), lastId, fromChunk);
    });
  }

  sample(condition: Condition, limit: number): Ids {
    return this.#inSnapshot(() => {
      this.#cache.beginTransaction();
      const lastId = this.#rows.lastId();
      return sampleOf(this.#planner.plan(condition, lastId), lastId, limit);
    });
  }

  #list(source: MatchSource, lastId: DomainId, order: SortOrder, limit: number): Found {
    const ids = collect(source, lastId, limit);
    return ids && this.#sort(ids, order);
  }

  #sort(ids: Ids, { by, descending }: SortOrder): Ids {
    if (ids.length < 2) return ids;
    const namesOf = (some: readonly DomainId[]) => this.#names.of(some);
    if (by === 'domain') return sortedByName(ids, descending, namesOf);
    const column = this.#columns.reader(by);
    const numbers = new Float64Array(ids.length);
    for (let index = 0; index < ids.length; index += 1)
      numbers[index] = column.numberOf(ids[index] as DomainId);
    return sortedByNumber(ids, numbers, descending, namesOf);
  }
}

function collect(source: MatchSource, lastId: DomainId, limit: number): Found {
  if (source.exceeds?.(limit)) return undefined;
  const ids: DomainId[] = [];
  for (const chunk of chunksOf(source, lastId)) {
    const found = source.narrow(chunk, rangeChunk(chunk, 1, lastId));
    if (ids.length + cardinality(found) > limit) return undefined;
    for (const low of lowsOf(found)) ids.push(chunk * chunkIds + low);
  }
  return Int32Array.from(ids);
}
