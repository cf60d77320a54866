/** Reads pages of `sharing_object`. Each condition is a range of an index, so a page costs the same however long the collection is. */
import { stixInstant } from '../../../model/stix/stix-object.ts';
import type { ObjectPage, ObjectQuery, SharedVersion, VersionChoice } from '../../detect/sharing-store.ts';
import type { Database } from '../database.ts';

export interface ObjectRow {
  readonly added: number;
  readonly id: string;
  readonly type: string;
  readonly created_ms: number;
  readonly first: number;
  readonly latest: number;
  readonly revoked: number;
  readonly content: string;
}

/** Of these the standard gives the time of creation, and they have no versions. */
const markingType = 'marking-definition';

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
    const rows = (query.ids ? this.#byId(page, query.ids) : this.#byTime(page, query)).filter(
      (row) => isChosen(row, query.versions) && (query.types?.includes(row.type) ?? true),
    );
    const distinct = [...new Map(rows.map((row) => [row.added, row])).values()].sort(
      (one, other) => one.added - other.added,
    );
    return {
      versions: distinct.slice(0, query.limit).map(versionOf),
      isMore: distinct.length > query.limit,
    };
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

const versionsOfIdMax = 100;

function isChosen(row: ObjectRow, versions: VersionChoice): boolean {
  if (versions === 'all') return true;
  if ((versions.first && row.first === 1) || (versions.last && row.latest === 1)) return true;
  return versions.atMs.includes(Date.parse(versionText(row)));
}

function versionText({ type, added, created_ms }: ObjectRow): string {
  return stixInstant(type === markingType ? created_ms : Math.floor(added / 1000));
}

function versionOf(row: ObjectRow): SharedVersion {
  const { id, type, added } = row;
  return { id, type, added, version: versionText(row), text: textOf(row) };
}

/** Observables have no properties of versions, markings the time of creation alone. */
const unversioned = ['domain-name', 'ipv4-addr', 'ipv6-addr', markingType];

/** The content is JSON already, and a page has a thousand of them. */
function textOf({ id, type, added, created_ms, revoked, content }: ObjectRow): string {
  const isVersioned = !unversioned.includes(type);
  const head = {
    type,
    spec_version: '2.1',
    id,
    ...(isVersioned || type === markingType ? { created: stixInstant(created_ms) } : {}),
    ...(isVersioned ? { modified: stixInstant(Math.floor(added / 1000)) } : {}),
    ...(revoked === 1 ? { revoked: true } : {}),
  };
  return `${JSON.stringify(head).slice(0, -1)},${content.slice(1)}`;
}
