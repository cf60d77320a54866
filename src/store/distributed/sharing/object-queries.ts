/** Reads pages of `sharing_object`. Each condition is a range of an index, so a page costs the same however long the collection is. */
import {
  markingType,
  type ObjectRow,
  pageOf,
  versionsOfIdMax,
} from '../../detect/sharing/object-versions.ts';
import type { ObjectPage, ObjectQuery } from '../../detect/sharing-store.ts';
import type { Fragment, Transaction } from '../postgres/database.ts';

type Condition = Fragment;

interface Page {
  readonly collection: number;
  readonly after: number;
  readonly limit: number;
}

/** All of one moment. */
export async function listObjects(
  sql: Transaction,
  collection: number,
  query: ObjectQuery,
): Promise<ObjectPage> {
  const page = { collection, after: query.after, limit: query.limit + 1 };
  const rows = query.ids ? await byId(sql, page, query.ids) : await byTime(sql, page, query);
  return pageOf(rows, query);
}

const columns = (sql: Transaction) => sql`added, id, type, created_ms, first, latest, revoked, content`;

/** All versions of each: they are few. */
function byId(sql: Transaction, page: Page, ids: readonly string[]): Promise<readonly ObjectRow[]> {
  return sql<ObjectRow[]>`
    select found.* from unnest(${[...new Set(ids)]}::text[]) as wanted (id), lateral (
      select ${columns(sql)} from sharing_object
      where collection = ${page.collection} and id = wanted.id and added > ${page.after}
      order by added limit ${versionsOfIdMax}) as found`;
}

async function byTime(
  sql: Transaction,
  page: Page,
  { types, versions }: ObjectQuery,
): Promise<readonly ObjectRow[]> {
  const read = (condition: Condition) =>
    types ? ofTypes(sql, page, types, condition) : ofAny(sql, page, condition);
  if (versions === 'all') return read(sql`true`);
  const { first, last, atMs } = versions;
  const found = await Promise.all([
    first ? read(sql`first`) : [],
    last ? read(sql`latest`) : [],
    atMs.length > 0 ? ofTypes(sql, page, [markingType], sql`true`) : [],
    atMs.length > 0 ? atTimes(sql, page, atMs) : [],
  ]);
  return found.flat();
}

function ofAny(sql: Transaction, page: Page, condition: Condition): Promise<readonly ObjectRow[]> {
  return sql<ObjectRow[]>`
    select ${columns(sql)} from sharing_object
    where collection = ${page.collection} and added > ${page.after} and ${condition}
    order by added limit ${page.limit}`;
}

function ofTypes(
  sql: Transaction,
  page: Page,
  types: readonly string[],
  condition: Condition,
): Promise<readonly ObjectRow[]> {
  return sql<ObjectRow[]>`
    select found.* from unnest(${[...new Set(types)]}::text[]) as wanted (type), lateral (
      select ${columns(sql)} from sharing_object
      where collection = ${page.collection} and type = wanted.type and added > ${page.after} and ${condition}
      order by added limit ${page.limit}) as found`;
}

/** The version of an object is the millisecond in which it was added. */
function atTimes(sql: Transaction, page: Page, atMs: readonly number[]): Promise<readonly ObjectRow[]> {
  return sql<ObjectRow[]>`
    select ${columns(sql)} from unnest(${[...new Set(atMs)]}::bigint[]) as wanted (ms)
      join sharing_object on collection = ${page.collection} and added >= ms * 1000 and added < (ms + 1) * 1000
    where added > ${page.after}`;
}
