/** Goes through the whole index in the order of keys, some lists at a time. */
import { lowsOf } from '../../../domain/id-chunk.ts';
import { decodeIds } from '../../../domain/stored-ids.ts';
import type { ValueKey } from '../../../domain/value-keys.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { Transaction } from '../../postgres/database.ts';
import { chunkOfPages, pageIds } from '../posting/id-page.ts';

/** Rows that are read at a time. */
const batchRows = 5000;
/** Below all keys, which are hashes. */
const firstKey = String(-(2n ** 63n));

export interface StoredList {
  readonly key: ValueKey;
  /** As counted by the writers. */
  readonly domains: number;
  /** The actual number of ids. */
  readonly entries: number;
}

interface ListRow {
  readonly key: string;
  readonly domains: number;
  readonly ids: Buffer | null;
  readonly paged: number | null;
}

/** Of a page with many ids the bits are counted. */
function selectLists(sql: Transaction) {
  return sql`select key::text, domains, ids, case when ids is null then (
      select sum(case when length(ids) = ${pageIds / 8} then bit_count(ids) else length(ids) / 2 end)::float8
      from record_value_page where record_value_page.key = record_value.key) end as paged
    from record_value`;
}

function listOf({ key, domains, ids, paged }: ListRow): StoredList {
  return { key: BigInt(key), domains, entries: ids === null ? (paged ?? 0) : decodeIds(ids).length };
}

export async function* scanLists(sql: Transaction): AsyncGenerator<readonly StoredList[]> {
  for (let after = firstKey; ; ) {
    const rows = await sql<ListRow[]>`
      ${selectLists(sql)} where record_value.key > ${after}::bigint order by record_value.key limit ${batchRows}`;
    yield rows.map(listOf);
    const last = rows.at(-1);
    if (!last || rows.length < batchRows) return;
    after = last.key;
  }
}

export async function listsOf(sql: Transaction, keys: readonly ValueKey[]): Promise<readonly StoredList[]> {
  const rows = await sql<ListRow[]>`
    ${selectLists(sql)} where key = any(${keys.map(String)}::bigint[])`;
  return rows.map(listOf);
}

/** The ids of a list, in order. */
export async function idsOfList(sql: Transaction, key: ValueKey): Promise<readonly DomainId[]> {
  const [value] = await sql<{ ids: Buffer | null }[]>`
    select ids from record_value where key = ${String(key)}::bigint`;
  if (value?.ids) return decodeIds(value.ids);
  const pages = await sql<{ page: number; ids: Buffer }[]>`
    select page, ids from record_value_page where key = ${String(key)}::bigint order by page`;
  return pages.flatMap(({ page, ids }) =>
    Array.from(lowsOf(chunkOfPages([{ page: 0, ids }])), (low) => page * pageIds + low),
  );
}
