/**
 * The domains of a value with what they are sorted by, in one statement, which is of one moment by itself: most pivots are nothing else, and a statement costs
 * more than what it reads. So PostgreSQL decodes the posting list, and pivots that come together share a statement.
 */
import { SharedCalls } from '../../../../concurrency/shared-calls.ts';
import type { Column } from '../../../../model/record/condition.ts';
import { columns, numberRowId } from '../../../domain/columns.ts';
import type { ValueKey } from '../../../domain/value-keys.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { PostgresDatabase, Sql } from '../../postgres/database.ts';
import { arrayText } from '../array-texts.ts';
import { rowNumbers } from '../column-rows.ts';
import type { FoundKey, FoundKeys } from './sorted-matches.ts';

/** Searches that share a statement: none of them has much more than a hundred domains for each key. */
const togetherMax = 16;

interface Wanted {
  readonly keys: readonly ValueKey[];
  readonly column: Column;
}

export class ListedKeys {
  readonly #calls: SharedCalls<Wanted, FoundKeys | undefined>;

  constructor(database: PostgresDatabase) {
    this.#calls = new SharedCalls(
      (wanted) => database.read((sql) => readListedKeys(sql, wanted)),
      togetherMax,
    );
  }

  /** Of the domains that have any of the values; undefined where a posting list is in pages. */
  find(keys: readonly ValueKey[], column: Column): Promise<FoundKeys | undefined> {
    return this.#calls.call({ keys, column });
  }
}

interface Row extends Omit<FoundKey, 'id'> {
  readonly n: number;
  readonly id: DomainId | null;
}

/**
 * An id is the sum of all differences up to it, so the running sum of the bytes, each shifted to its place in its varint, is an id at the last byte of a
 * varint. A difference has five bytes at most. The arrays are in queries of their own, so that the planner does not count them and its plan is kept.
 */
async function readListedKeys(
  sql: Sql,
  searches: readonly Wanted[],
): Promise<readonly (FoundKeys | undefined)[]> {
  const wanted = searches.flatMap(({ keys, column }, at) => {
    const firstRow = numberRowId(columns.indexOf(column), 0, rowNumbers);
    return keys.map((key) => ({ key, firstRow, at }));
  });
  const rows = await sql<Row[]>`
    select n, listed.id, domain.name,
      substring(page.numbers from listed.id % ${rowNumbers}::int * 8 + 1 for 8) as number
    from unnest((select ${arrayText(wanted.map(({ key }) => key))}::bigint[]),
      (select ${arrayText(wanted.map(({ at }) => at))}::int[]),
      (select ${arrayText(wanted.map(({ firstRow }) => firstRow))}::bigint[])) as wanted (key, n, first_row)
    cross join lateral (select ids from record_value where record_value.key = wanted.key limit 1) as found
    left join lateral (
      select sum::int as id from (
        select byte, sum((byte & 127)::bigint << shift) over (rows unbounded preceding) from (
          select get_byte(ids, at) as byte,
            case when at < 1 or get_byte(ids, at - 1) < 128 then 0 when at < 2 or get_byte(ids, at - 2) < 128 then 7
              when at < 3 or get_byte(ids, at - 3) < 128 then 14 when at < 4 or get_byte(ids, at - 4) < 128 then 21
              else 28 end as shift
          from generate_series(0, length(ids) - 1) as at) as bytes) as sums
      where byte < 128) as listed on true
    left join lateral (select name from record_domain where record_domain.id = listed.id limit 1) as domain on true
    left join lateral (select numbers from record_number_page
      where record_number_page.id = wanted.first_row + listed.id / ${rowNumbers}::int limit 1) as page on true`;
  const found = searches.map((): Map<DomainId, FoundKey> | undefined => new Map());
  for (const { n, id, name, number } of rows) {
    if (id === null) found[n] = undefined;
    else found[n]?.set(id, { id, name, number });
  }
  return found.map((ofSearch) => ofSearch && [...ofSearch.values()]);
}
