/** Reads pages of `sharing_object`. Each condition is a range of an index, so a page costs the same however long the collection is. */
import {
  markingType,
  type ObjectRow,
  pageOf,
  versionsOfIdMax,
} from '../../detect/sharing/object-versions.ts';
import type { ObjectPage, ObjectQuery, VersionChoice } from '../../detect/sharing-store.ts';
import type { Database } from '../database.ts';

const columns = 'added, id, type, created_ms, first, latest, revoked, content';
const ofPage = 'collection = :collection and added > :after';

export class ObjectRows {
  readonly #all;
  readonly #latest;
  readonly #first;
  readonly #between;
  readonly #ofType;
  readonly #latestOfType;
  readonly #firstOfType;
  readonly #ofId;

  constructor(database: Database) {
    const from = (rest: string) =>
      database.prepare(`select ${columns} from sharing_object ${rest} order by added limit :limit`);
    this.#all = from(`where ${ofPage}`);
    this.#latest = from(`indexed by sharing_object_latest where ${ofPage} and latest = 1`);
    this.#first = from(`indexed by sharing_object_first where ${ofPage} and first = 1`);
    this.#between = from(`where ${ofPage} and added >= :from and added < :to`);
    this.#ofType = from(`indexed by sharing_object_type where ${ofPage} and type = :type`);
    this.#latestOfType = from(
      `indexed by sharing_object_type where ${ofPage} and type = :type and latest = 1`,
    );
    this.#firstOfType = from(`indexed by sharing_object_type where ${ofPage} and type = :type and first = 1`);
    this.#ofId = from(`indexed by sharing_object_id where ${ofPage} and id = :id`);
  }

  list(collection: number, query: ObjectQuery): ObjectPage {
    const limit = query.limit + 1;
    const page = { collection, after: query.after, limit };
    return pageOf(query.ids ? this.#byId(page, query.ids) : this.#byTime(page, query), query);
  }

  /** All versions of each: they are few. */
  #byId(page: Page, ids: readonly string[]): ObjectRow[] {
    return [...new Set(ids)].flatMap(
      (id) => this.#ofId.all({ ...page, limit: versionsOfIdMax, id }) as ObjectRow[],
    );
  }

  #byTime(page: Page, { types, versions }: ObjectQuery): ObjectRow[] {
    if (types) return [...new Set(types)].flatMap((type) => this.#byType(page, type, versions));
    if (versions === 'all') return this.#all.all(page) as ObjectRow[];
    const { first, last, atMs } = versions;
    return [
      ...(first ? (this.#first.all(page) as ObjectRow[]) : []),
      ...(last ? (this.#latest.all(page) as ObjectRow[]) : []),
      ...this.#atTimes(page, atMs),
    ];
  }

  #byType(page: Page, type: string, versions: VersionChoice): ObjectRow[] {
    if (versions === 'all') return this.#ofType.all({ ...page, type }) as ObjectRow[];
    const { first, last, atMs } = versions;
    return [
      ...(first ? (this.#firstOfType.all({ ...page, type }) as ObjectRow[]) : []),
      ...(last ? (this.#latestOfType.all({ ...page, type }) as ObjectRow[]) : []),
      ...this.#atTimes(page, atMs),
    ];
  }

  #atTimes(page: Page, atMs: readonly number[]): ObjectRow[] {
    if (atMs.length === 0) return [];
    const markings = this.#ofType.all({ ...page, type: markingType }) as ObjectRow[];
    const others = [...new Set(atMs)].flatMap((ms) => {
      const [from, to] = [ms * 1000, (ms + 1) * 1000];
      return this.#between.all({ ...page, limit: to - from, from, to }) as ObjectRow[];
    });
    return [...markings, ...others];
  }
}

interface Page {
  readonly collection: number;
  readonly after: number;
  readonly limit: number;
}
