/** Answers a search within one read transaction, and puts the matches in order. */
import type { Condition } from '../../../model/record/condition.ts';
import type { DomainId, SortOrder } from '../../domain-store.ts';
import { type Database, snapshots } from '../database.ts';
import { Columns } from './columns.ts';
import { HotRows } from './hot-rows.ts';
import { chunkIds, chunkOf, lowsOf, sizeOf, wholeChunk } from './id-chunk.ts';
import { KnownNames } from './known-names.ts';
import type { MatchSource } from './match-source.ts';
import { fewDomains } from './quick-search.ts';
import { RecordRows } from './record-rows.ts';
import { type Ids, sortedByName, sortedByNumber } from './sorted-ids.ts';
import { type LookedAtOfTexts, Sources } from './source-of.ts';

type Found = Ids | undefined;

export class Search {
  readonly #atOneMoment: <Result>(work: () => Result) => Result;
  readonly #rows: RecordRows;
  readonly #names: KnownNames;
  readonly #columns: Columns;
  readonly #sources: Sources;
  readonly #hot: HotRows;

  constructor(database: Database, lookedAt?: LookedAtOfTexts) {
    const hot = new HotRows(database);
    this.#rows = new RecordRows(database);
    this.#names = new KnownNames(this.#rows);
    this.#columns = new Columns(database, hot);
    this.#sources = new Sources(database, hot, lookedAt);
    this.#hot = hot;
    this.#atOneMoment = snapshots(database);
  }

  /** Undefined for more than the limit. */
  find(condition: Condition, order: SortOrder, limit: number): Found {
    return this.#atOneMoment(() => {
      this.#hot.begin();
      const lastId = this.#rows.lastId();
      return this.#list(this.#sources.of(condition, lastId), lastId, order, limit);
    });
  }

  /** Undefined where more than a few domains have to be looked at. */
  findAmongFew(condition: Condition, order: SortOrder): Found {
    return this.#atOneMoment(() => {
      this.#hot.begin();
      const lastId = this.#rows.lastId();
      const source = this.#sources.of(condition, lastId, 'early');
      return source.estimate > fewDomains ? undefined : this.#list(source, lastId, order, fewDomains);
    });
  }

  #list(source: MatchSource, lastId: DomainId, order: SortOrder, limit: number): Found {
    const ids = collect(source, lastId, limit);
    return ids && this.#inOrder(ids, order);
  }

  #inOrder(ids: Ids, { by, descending }: SortOrder): Ids {
    if (ids.length < 2) return ids;
    const namesOf = (those: readonly DomainId[]) => this.#names.of(those);
    if (by === 'domain') return sortedByName(ids, descending, namesOf);
    const column = this.#columns.reader(by);
    const numbers = new Float64Array(ids.length);
    for (let place = 0; place < ids.length; place += 1)
      numbers[place] = column.numberOf(ids[place] as DomainId);
    return sortedByNumber(ids, numbers, descending, namesOf);
  }
}

function collect(source: MatchSource, lastId: DomainId, limit: number): Found {
  if (source.exceeds?.(limit)) return undefined;
  const ids: DomainId[] = [];
  const chunks = source.chunks?.() ?? Array.from({ length: chunkOf(lastId) + 1 }, (_, chunk) => chunk);
  for (const chunk of chunks) {
    const found = source.narrow(chunk, wholeChunk(chunk, 1, lastId));
    if (ids.length + sizeOf(found) > limit) return undefined;
    for (const low of lowsOf(found)) ids.push(chunk * chunkIds + low);
  }
  return Int32Array.from(ids);
}
