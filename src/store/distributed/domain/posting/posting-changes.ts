/** Collects the changes of posting lists of one transaction, and writes each row once at its end. */
import { mapInSlices } from '../../../../concurrency/map-in-slices.ts';
import { encodedIds } from '../../../domain/stored-ids.ts';
import type { ValueKey } from '../../../domain/value-keys.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { Transaction } from '../../postgres/database.ts';
import { arrayText } from '../array-texts.ts';
import { inBatches } from '../in-batches.ts';
import { changedPage, pageOf } from './id-page.ts';
import { type LoadedPostings, loadPostings } from './loaded-postings.ts';
import type { Posting } from './posting-rows.ts';

/** Longer posting lists are stored in pages. */
const listedIdsMax = 128;
/** Rows that one statement writes: a millisecond or two of ours. */
const batchRows = 2048;

type IdChanges = Map<DomainId, boolean>;

interface Rows {
  readonly values: { key: ValueKey; domains: number; ids: Buffer | null }[];
  readonly removedValues: ValueKey[];
  readonly pages: { key: ValueKey; page: number; ids: Buffer }[];
  readonly removedPages: { key: ValueKey; page: number }[];
  /** All pages of these are removed before others are put. */
  readonly clearedKeys: ValueKey[];
}

export class PostingChanges {
  readonly #changes = new Map<ValueKey, IdChanges>();

  add(key: ValueKey, id: DomainId): void {
    this.#of(key).set(id, true);
  }

  remove(key: ValueKey, id: DomainId): void {
    this.#of(key).set(id, false);
  }

  async flush(sql: Transaction): Promise<void> {
    if (this.#changes.size === 0) return;
    const loaded = await loadPostings(sql, this.#changes);
    const rows: Rows = { values: [], removedValues: [], pages: [], removedPages: [], clearedKeys: [] };
    const keys = BigInt64Array.from(this.#changes.keys()).sort();
    await mapInSlices(keys, (key) => change(key, this.#changes.get(key) as IdChanges, loaded, rows));
    await writeRows(sql, rows);
    this.#changes.clear();
  }

  #of(key: ValueKey): IdChanges {
    const known = this.#changes.get(key);
    if (known) return known;
    const changes: IdChanges = new Map();
    this.#changes.set(key, changes);
    return changes;
  }
}

function change(key: ValueKey, changes: IdChanges, loaded: LoadedPostings, rows: Rows): void {
  const posting: Posting = loaded.find(key) ?? { domains: 0, ids: [] };
  if (!posting.ids) {
    changePages(key, changes, rows, { domains: posting.domains, pageOf: (page) => loaded.page(key, page) });
    return;
  }
  const ids = new Set(posting.ids);
  for (const [id, has] of changes) {
    if (has) ids.add(id);
    else ids.delete(id);
  }
  const sorted = [...ids].sort((left, right) => left - right);
  if (sorted.length === 0) rows.removedValues.push(key);
  else if (sorted.length <= listedIdsMax)
    rows.values.push({ key, domains: sorted.length, ids: encodedIds(sorted) });
  else {
    // A damaged index may have pages without a list; they would be counted.
    rows.clearedKeys.push(key);
    const all = new Map(sorted.map((id) => [id, true]));
    changePages(key, all, rows, { domains: 0, pageOf: () => undefined });
  }
}

function changePages(
  key: ValueKey,
  changes: IdChanges,
  rows: Rows,
  before: { readonly domains: number; pageOf(page: number): Buffer | undefined },
): void {
  let { domains } = before;
  for (const [page, ofPage] of Map.groupBy(changes, ([id]) => pageOf(id))) {
    const { ids, net } = changedPage(before.pageOf(page), ofPage);
    domains += net;
    if (ids) rows.pages.push({ key, page, ids });
    else rows.removedPages.push({ key, page });
  }
  if (domains <= 0) rows.removedValues.push(key);
  else rows.values.push({ key, domains, ids: null });
}

async function writeRows(sql: Transaction, rows: Rows): Promise<void> {
  const { values, removedValues, pages, removedPages, clearedKeys } = rows;
  await inBatches(
    clearedKeys,
    batchRows,
    (some) => sql`delete from record_value_page where key = any(${arrayText(some)}::bigint[])`,
  );
  await inBatches(
    values,
    batchRows,
    (some) => sql`insert into record_value (key, domains, ids)
      select * from unnest(${keysOf(some)}::bigint[], ${arrayText(some.map(({ domains }) => domains))}::int[],
        ${some.map(({ ids }) => ids)}::bytea[])
      on conflict (key) do update set domains = excluded.domains, ids = excluded.ids`,
  );
  await inBatches(
    pages,
    batchRows,
    (some) => sql`insert into record_value_page (key, page, ids)
      select * from unnest(${keysOf(some)}::bigint[], ${pagesOf(some)}::int[], ${some.map(({ ids }) => ids)}::bytea[])
      on conflict (key, page) do update set ids = excluded.ids`,
  );
  await inBatches(
    removedValues,
    batchRows,
    (some) => sql`delete from record_value where key = any(${arrayText(some)}::bigint[])`,
  );
  await inBatches(
    removedPages,
    batchRows,
    (some) => sql`delete from record_value_page where (key, page) in
      (select * from unnest(${keysOf(some)}::bigint[], ${pagesOf(some)}::int[]))`,
  );
}

function keysOf(rows: readonly { readonly key: ValueKey }[]): string {
  return arrayText(rows.map(({ key }) => key));
}

function pagesOf(rows: readonly { readonly page: number }[]): string {
  return arrayText(rows.map(({ page }) => page));
}
