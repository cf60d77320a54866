/** Reads posting lists: a short one from the row of its value, a long one from its pages. All rows of a call are read by one statement. */
import { type IdChunk, lowsOf } from '../../../domain/id-chunk.ts';
import { decodeIds } from '../../../domain/stored-ids.ts';
import type { ValueKey } from '../../../domain/value-keys.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { Sql } from '../../postgres/database.ts';
import { arrayText } from '../array-texts.ts';
import type { RecordsState } from '../record-state.ts';
import { chunkOfPages, chunkPages, pageOf, type StoredPage } from './id-page.ts';

export interface Posting {
  readonly domains: number;
  /** Undefined where the list is stored in pages. */
  readonly ids: readonly DomainId[] | undefined;
}

/** Up to so many ids of a chunk their pages are read alone, not all of the chunk. */
const fewIds = 4;

/**
 * In the order of the keys. A lateral query with a limit goes by the index for each key, always: the planner would read the whole table for many keys.
 */
export async function findPostings(
  sql: Sql,
  keys: readonly ValueKey[],
): Promise<readonly (Posting | undefined)[]> {
  const found = new Array<Posting | undefined>(keys.length);
  if (keys.length === 0) return found;
  const rows = await sql<{ n: number; domains: number; ids: Buffer | null }[]>`
    select n, domains, ids from unnest((select ${arrayText(keys)}::bigint[])) with ordinality as wanted (key, n)
    cross join lateral (select domains, ids from record_value where record_value.key = wanted.key limit 1) as found`;
  for (const { n, domains, ids } of rows)
    found[n - 1] = { domains, ids: ids === null ? undefined : decodeIds(ids) };
  return found;
}

interface StateRow {
  readonly lastId: DomainId;
  readonly version: number;
  readonly n: number | null;
  readonly domains: number;
  readonly ids: Buffer | null;
}

/** The same, with the state of the records at that moment. */
export async function findPostingsAndState(
  sql: Sql,
  keys: readonly ValueKey[],
): Promise<{ readonly state: RecordsState; readonly postings: readonly (Posting | undefined)[] }> {
  const rows = await sql<StateRow[]>`
    select last_domain_id as "lastId", version, n, domains, ids from record_state left join (
      unnest((select ${arrayText(keys)}::bigint[])) with ordinality as wanted (key, n)
      cross join lateral (select domains, ids from record_value where record_value.key = wanted.key limit 1) as found)
    on true`;
  const postings = new Array<Posting | undefined>(keys.length);
  for (const { n, domains, ids } of rows)
    if (n !== null) postings[n - 1] = { domains, ids: ids === null ? undefined : decodeIds(ids) };
  const { lastId, version } = rows[0] as StateRow;
  return { state: { lastId, version }, postings };
}

/** In the order of the keys; fastest where they are in ascending order. Packed, since a page of records has thousands of values. */
export async function countsOfKeys(sql: Sql, keys: readonly ValueKey[]): Promise<Uint32Array> {
  const counts = new Uint32Array(keys.length);
  if (keys.length === 0) return counts;
  const [row] = await sql<{ counts: Buffer }[]>`select string_agg(int4send(coalesce(
      (select domains from record_value where record_value.key = wanted.key), 0)), '') as counts
    from unnest((select ${arrayText(keys)}::bigint[])) as wanted (key)`;
  const { counts: packed } = row as { counts: Buffer };
  for (let at = 0; at < keys.length; at += 1) counts[at] = packed.readUInt32BE(at * 4);
  return counts;
}

/** The ids of each key that are in chunks of the candidates: those near a candidate at least. */
export async function chunksNear(
  sql: Sql,
  keys: readonly ValueKey[],
  candidates: ReadonlyMap<number, IdChunk>,
): Promise<readonly ReadonlyMap<number, IdChunk>[]> {
  const pages = [...candidates].flatMap(([chunk, ids]) => [...pagesNear(chunk, ids)]);
  const rows = await sql<{ n: number; page: number; ids: Buffer }[]>`
    select n, page, ids from unnest((select ${arrayText(keys)}::bigint[])) with ordinality as wanted (key, n)
    cross join lateral (select page, ids from record_value_page
      where record_value_page.key = wanted.key and page = any(${arrayText(pages)}::int[]) order by page limit ${pages.length}) as found
    order by n, page`;
  const stored = keys.map(() => new Map<number, StoredPage[]>());
  for (const { n, page, ids } of rows) {
    const ofKey = stored[n - 1] as Map<number, StoredPage[]>;
    const chunk = Math.floor(page / chunkPages);
    const ofChunk = ofKey.get(chunk);
    if (ofChunk) ofChunk.push({ page, ids });
    else ofKey.set(chunk, [{ page, ids }]);
  }
  return stored.map((ofKey) => new Map(Array.from(ofKey, ([chunk, of]) => [chunk, chunkOfPages(of)])));
}

function pagesNear(chunk: number, ids: IdChunk): Iterable<number> {
  const first = chunk * chunkPages;
  if (ids instanceof Uint16Array && ids.length <= fewIds)
    return new Set(Array.from(lowsOf(ids), (low) => first + pageOf(low)));
  return Array.from({ length: chunkPages }, (_, page) => first + page);
}

/** The numbers of the chunks that have ids of a key with pages, in order. */
export async function chunkNumbersOf(sql: Sql, key: ValueKey): Promise<readonly number[]> {
  const rows = await sql<{ chunk: number }[]>`
    select distinct page / ${chunkPages}::int as chunk from record_value_page where key = ${String(key)}::bigint order by 1`;
  return rows.map(({ chunk }) => chunk);
}
