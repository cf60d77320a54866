/**
 * Paging: a page is a limited number of rows after a cursor or offset, in the order of the store or newest first. A search
 * yields slices, empty ones too, so that its reader can stop it at any of them.
 */
import type { Sighting } from '../../model/dns/rrset.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import type { Fences, Position, ScanPage, Slices } from '../../store/rrset-store.ts';
import { cursorText, positionBytesMax } from './cursor.ts';
import { NewestRows } from './newest-rows.ts';
import type { Paging } from './query.ts';

/** `limited`: there are more rows, which a query with the cursor returns. A summary has no cursor. */
export type Ending =
  | { readonly outcome: 'complete' }
  | { readonly outcome: 'limited'; readonly cursor: string | undefined };

export interface Search<Item> extends AsyncGenerator<readonly Item[], Ending, undefined> {
  /** All results, where the store can read them synchronously. Only before the first call of `next`. */
  readAllSync?(): SearchResult<Item> | undefined;
}

export interface SearchResult<Item> {
  readonly items: readonly Item[];
  readonly ending: Ending;
}

/** The limits of a key. */
export interface Allowance {
  readonly resultsMax: number;
  readonly offsetMax: number | 'n/a';
}

export interface PositionedRow extends Sighting {
  readonly position: Position;
}

/** How rows of one kind are scanned, and how much memory one takes while rows are sorted. */
export interface RowSource<Row extends PositionedRow> {
  readonly fences: Fences;
  readonly scan: (page: ScanPage, fences: Fences) => Slices<Row>;
  readonly bytesOf: (row: Row) => number;
}

export interface Page extends Paging {
  /** Rows to skip: the offset, and those of the cursor. */
  readonly skip: number;
}

const complete: Ending = { outcome: 'complete' };

/** Sorting by time holds this many rows in memory. */
const sortedRowsMax = 10_000;

/** The page within the limits of a key: a `limit` is capped, an `offset` beyond the maximum is rejected. */
export function pageFor(paging: Paging, { resultsMax, offsetMax }: Allowance): Page {
  const { offset, order } = paging;
  if (offset !== undefined && (offsetMax === 'n/a' || offset > offsetMax)) {
    const why =
      offsetMax === 'n/a'
        ? 'any offset exceeds the allowed maximum, since this key may not use it'
        : `${offset} exceeds the allowed maximum of ${offsetMax}`;
    throw new Problem('offset-exceeded', `offset value greater than maximum allowed; ${why}`);
  }
  const skip = (offset ?? 0) + (paging.after?.skipped ?? 0);
  const limit = Math.min(paging.limit === 0 ? Number.POSITIVE_INFINITY : paging.limit, resultsMax);
  if (order === 'store') return pageOf(paging, limit, skip);
  const available = sortedRowsMax - skip;
  if (available < 1 || (paging.limit !== 0 && limit > available)) {
    throw fieldProblem(
      'invalid-parameters',
      available < 1 ? 'offset' : 'limit',
      `with sort=time_last, offset and limit together are at most ${sortedRowsMax}`,
    );
  }
  return pageOf(paging, Math.min(limit, available), skip);
}

function pageOf({ path, merged, order, offset, after }: Paging, limit: number, skip: number): Page {
  return { path, merged, order, limit, offset, after, skip };
}

export function searchPage<Row extends PositionedRow>(source: RowSource<Row>, page: Page): Search<Row> {
  if (page.order !== 'store') return newestFirst(source, page);
  return new StoreOrderSearch(source, page);
}

/** The scan starts with the first read. Most results are read synchronously, so the generator is created only when needed. */
class StoreOrderSearch<Row extends PositionedRow> implements Search<Row> {
  readonly #source: RowSource<Row>;
  readonly #page: Page;
  #slices: Slices<Row> | undefined;
  #reading: AsyncGenerator<readonly Row[], Ending, undefined> | undefined;

  constructor(source: RowSource<Row>, page: Page) {
    this.#source = source;
    this.#page = page;
  }

  readAllSync(): SearchResult<Row> | undefined {
    const rows = this.#scan().readAllSync?.();
    if (!rows) return undefined;
    const { limit } = this.#page;
    if (rows.length <= limit) return { items: rows, ending: complete };
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    const cursor = last && cursorAfter(this.#page, last, limit);
    return { items, ending: { outcome: 'limited', cursor } };
  }

  async next(): Promise<IteratorResult<readonly Row[], Ending>> {
    this.#reading ??= inStoreOrder(this.#scan(), this.#page);
    return this.#reading.next();
  }

  async return(ending: Ending): Promise<IteratorResult<readonly Row[], Ending>> {
    return this.#reading ? this.#reading.return(ending) : { done: true, value: ending };
  }

  async throw(error: unknown): Promise<IteratorResult<readonly Row[], Ending>> {
    if (this.#reading) return this.#reading.throw(error);
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return(complete);
  }

  #scan(): Slices<Row> {
    this.#slices ??= this.#source.scan(scanPage(this.#page), this.#source.fences);
    return this.#slices;
  }
}

async function* inStoreOrder<Row extends PositionedRow>(
  slices: Slices<Row>,
  page: Page,
): AsyncGenerator<readonly Row[], Ending, undefined> {
  let left = page.limit;
  let last: Row | undefined;
  for await (const slice of slices) {
    if (slice.length > left) {
      if (left > 0) {
        last = slice[left - 1];
        yield slice.slice(0, left);
      }
      return { outcome: 'limited', cursor: last && cursorAfter(page, last, page.limit) };
    }
    left -= slice.length;
    last = slice.at(-1) ?? last;
    yield slice;
  }
  return complete;
}

/**
 * Rows with the same time stay in the order of the store. After a cursor come first the rows with its time that the store has
 * after its position, then all older ones.
 */
async function* newestFirst<Row extends PositionedRow>(source: RowSource<Row>, page: Page): Search<Row> {
  const wanted = page.skip + page.limit;
  const newest = new NewestRows(wanted, source.bytesOf);
  for (const { from, fences } of scansAfter(page, source.fences)) {
    if (newest.seen > wanted) break;
    for await (const slice of source.scan(from, fences)) {
      for (const row of slice) newest.add(row);
      yield [];
    }
  }
  const rows = newest.sorted().slice(page.skip);
  yield rows;
  if (newest.seen <= wanted) return { outcome: 'complete' };
  const last = rows.at(-1);
  return { outcome: 'limited', cursor: last && cursorAfter(page, last, rows.length) };
}

function scansAfter({ after }: Page, fences: Fences): { from: ScanPage; fences: Fences }[] {
  if (!after?.position) return [{ from: {}, fences }];
  const { position, lastSeconds } = after;
  const { lastBefore = lastSeconds, lastAfter = lastSeconds } = fences;
  const sameTime = {
    ...fences,
    lastBefore: Math.min(lastBefore, lastSeconds),
    lastAfter: Math.max(lastAfter, lastSeconds),
  };
  const older = { ...fences, lastBefore: Math.min(lastBefore, lastSeconds - 1) };
  return [
    { from: { after: position }, fences: sameTime },
    { from: {}, fences: older },
  ];
}

/** One row more than the page has shows whether there are further rows. */
function scanPage({ after, skip, limit }: Page): ScanPage {
  const wanted = limit + 1;
  if (!after && skip === 0) return { wanted };
  return { wanted, ...(after?.position ? { after: after.position } : {}), ...(skip === 0 ? {} : { skip }) };
}

/**
 * The cursor after the last of `returned` rows of a page. A position may be as long as the rdata of its row; where it is too
 * long for a cursor, the cursor counts rows from where the page began.
 */
export function cursorAfter(paging: Paging, last: PositionedRow, returned: number): string {
  const { position, lastSeconds } = last;
  if (position.length <= positionBytesMax) return cursorText(paging, { position, lastSeconds, skipped: 0 });
  const { after, offset = 0 } = paging;
  const from = after ?? { position: undefined, lastSeconds: 0, skipped: 0 };
  return cursorText(paging, { ...from, skipped: from.skipped + offset + returned });
}
