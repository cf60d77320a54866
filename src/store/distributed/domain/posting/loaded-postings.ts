/** Those parts of posting lists that some entries of the index are in, read by few statements. */
import { mapInSlices } from '../../../../concurrency/map-in-slices.ts';
import type { ValueKey } from '../../../domain/value-keys.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { Transaction } from '../../postgres/database.ts';
import { arrayText } from '../array-texts.ts';
import { pageHas, pageOf } from './id-page.ts';
import { findPostings, type Posting } from './posting-rows.ts';

/** Keys of which one statement reads the lists: a millisecond of ours. */
const batchKeys = 4096;

/** Domains by the key of their value. */
export type Entries = ReadonlyMap<ValueKey, { keys(): Iterable<DomainId> }>;

interface Loaded {
  readonly posting: Posting | undefined;
  readonly pages: ReadonlyMap<number, Buffer>;
}

export class LoadedPostings {
  readonly #loaded: ReadonlyMap<ValueKey, Loaded>;

  constructor(loaded: ReadonlyMap<ValueKey, Loaded>) {
    this.#loaded = loaded;
  }

  find(key: ValueKey): Posting | undefined {
    return this.#loaded.get(key)?.posting;
  }

  page(key: ValueKey, page: number): Buffer | undefined {
    return this.#loaded.get(key)?.pages.get(page);
  }

  has(key: ValueKey, id: DomainId): boolean {
    const posting = this.find(key);
    if (!posting) return false;
    if (posting.ids) return posting.ids.includes(id);
    const ids = this.page(key, pageOf(id));
    return ids !== undefined && pageHas(ids, id);
  }
}

export async function loadPostings(sql: Transaction, entries: Entries): Promise<LoadedPostings> {
  const keys = BigInt64Array.from(entries.keys()).sort();
  const postings: (Posting | undefined)[] = [];
  for (let at = 0; at < keys.length; at += batchKeys)
    postings.push(...(await findPostings(sql, Array.from(keys.subarray(at, at + batchKeys)))));
  const loaded = new Map<ValueKey, { posting: Posting | undefined; pages: Map<number, Buffer> }>();
  const wantedKeys: ValueKey[] = [];
  const wantedPages: number[] = [];
  await mapInSlices(keys, (key) => {
    const posting = postings[loaded.size];
    loaded.set(key, { posting, pages: new Map() });
    if (!posting || posting.ids) return;
    for (const page of new Set(Array.from(entries.get(key)?.keys() ?? [], pageOf))) {
      wantedKeys.push(key);
      wantedPages.push(page);
    }
  });
  if (wantedKeys.length > 0) {
    const rows = await sql<{ n: number; ids: Buffer }[]>`
      select n, ids
      from unnest(${arrayText(wantedKeys)}::bigint[], ${arrayText(wantedPages)}::int[]) with ordinality as wanted (key, page, n)
      cross join lateral (select ids from record_value_page
        where record_value_page.key = wanted.key and record_value_page.page = wanted.page limit 1) as found`;
    for (const { n, ids } of rows)
      loaded.get(wantedKeys[n - 1] as ValueKey)?.pages.set(wantedPages[n - 1] as number, ids);
  }
  return new LoadedPostings(loaded);
}
