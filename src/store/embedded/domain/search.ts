/** Answers a search within one read transaction, and puts the matches in order. */
import type { Condition } from '../../../model/record/condition.ts';
import type { DomainId, SortOrder } from '../../domain-store.ts';
import { type Database, snapshots } from '../database.ts';
import { Columns } from './columns.ts';
import { HotRows } from './hot-rows.ts';
import { chunkIds, chunkOf, lowsOf, sizeOf, wholeChunk } from './id-chunk.ts';
import type { MatchSource } from './match-source.ts';
import { fewDomains } from './quick-search.ts';
import { RecordRows } from './record-rows.ts';
import { type LookedAtOfTexts, Sources } from './source-of.ts';

type Found = Int32Array<ArrayBuffer> | undefined;

export class Search {
  readonly #atOneMoment: <Result>(work: () => Result) => Result;
  readonly #rows: RecordRows;
  readonly #columns: Columns;
  readonly #sources: Sources;
  readonly #hot: HotRows;

  constructor(database: Database, lookedAt?: LookedAtOfTexts) {
    const hot = new HotRows(database);
    this.#rows = new RecordRows(database);
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

  #inOrder(ids: Int32Array<ArrayBuffer>, { by, descending }: SortOrder): Int32Array<ArrayBuffer> {
    if (ids.length < 2) return ids;
    const sign = descending ? -1 : 1;
    if (by === 'domain') {
      const names = new Map(Array.from(ids, (id) => [id, this.#rows.nameOf(id)]));
      return ids.sort((left, right) => sign * compareTexts(names.get(left) ?? '', names.get(right) ?? ''));
    }
    const column = this.#columns.reader(by);
    const numbers = new Map(Array.from(ids, (id) => [id, column.numberOf(id)]));
    // Names are looked up for those alone that are equal.
    const names = new Map<DomainId, string>();
    const nameOf = (id: DomainId) => {
      const name = names.get(id) ?? this.#rows.nameOf(id);
      names.set(id, name);
      return name;
    };
    return ids.sort(
      (left, right) =>
        compareNumbers(numbers.get(left) as number, numbers.get(right) as number, sign) ||
        compareTexts(nameOf(left), nameOf(right)),
    );
  }
}

function collect(source: MatchSource, lastId: DomainId, limit: number): Int32Array<ArrayBuffer> | undefined {
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

/** What has no number comes last, whichever way is up. */
function compareNumbers(left: number, right: number, sign: number): number {
  if (Number.isNaN(left) || Number.isNaN(right))
    return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
  return sign * (left - right);
}

function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
