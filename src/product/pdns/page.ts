/**
 * Which part of a scan is an answer: so many rows from a place on, in the order of the store or the newest first. A search
 * gives slices, empty ones too, so that whoever reads it can stop it at any of them.
 */
import type { Sighting } from '../../model/dns/rrset.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import type { Fences, Position, ScanPage, Slices } from '../../store/rrset-store.ts';
import { cursorText, positionBytesMax } from './cursor.ts';
import { NewestRows } from './newest-rows.ts';
import type { Paging } from './question.ts';

/** `limited`: a further row exists. The cursor leads to it, where there is a way on. */
export type Ending =
  | { readonly outcome: 'complete' }
  | { readonly outcome: 'limited'; readonly cursor: string | undefined };

export interface Search<Item> extends AsyncGenerator<readonly Item[], Ending, undefined> {
  /** The whole answer, where the store has it at hand. Asked before the search is read, if at all. */
  atOnce?(): WholeAnswer<Item> | undefined;
}

export interface WholeAnswer<Item> {
  readonly items: readonly Item[];
  readonly ending: Ending;
}

/** What a key may ask for. */
export interface Allowance {
  readonly resultsMax: number;
  readonly offsetMax: number | 'n/a';
}

export interface PlacedRow extends Sighting {
  readonly position: Position;
}

/** How a kind of row is looked for, and kept in memory while others are compared with it. */
export interface RowSource<Row extends PlacedRow> {
  readonly fences: Fences;
  readonly scan: (page: ScanPage, fences: Fences) => Slices<Row>;
  readonly bytesOf: (row: Row) => number;
}

export interface Page extends Paging {
  /** Rows to pass over: the offset, and what a cursor skips. */
  readonly skip: number;
}

const complete: Ending = { outcome: 'complete' };

/** The newest of many can only be told by holding them. */
const sortedRowsMax = 10_000;

/** The page that a key may have: a `limit` is cut to its maximum, an `offset` beyond it is refused. */
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
  const room = sortedRowsMax - skip;
  if (room < 1 || (paging.limit !== 0 && limit > room)) {
    throw fieldProblem(
      'invalid-parameters',
      room < 1 ? 'offset' : 'limit',
      `with sort=time_last, offset and limit together are at most ${sortedRowsMax}`,
    );
  }
  return pageOf(paging, Math.min(limit, room), skip);
}

function pageOf({ path, merged, order, offset, after }: Paging, limit: number, skip: number): Page {
  return { path, merged, order, limit, offset, after, skip };
}

export function searchPage<Row extends PlacedRow>(source: RowSource<Row>, page: Page): Search<Row> {
  if (page.order !== 'store') return newestFirst(source, page);
  return new StoreOrderSearch(source, page);
}

/** The store is asked when the search is; and as most answers are had at once, what reads on is made only when needed. */
class StoreOrderSearch<Row extends PlacedRow> implements Search<Row> {
  readonly #source: RowSource<Row>;
  readonly #page: Page;
  #slices: Slices<Row> | undefined;
  #reading: AsyncGenerator<readonly Row[], Ending, undefined> | undefined;

  constructor(source: RowSource<Row>, page: Page) {
    this.#source = source;
    this.#page = page;
  }

  atOnce(): WholeAnswer<Row> | undefined {
    const rows = this.#scan().atOnce?.();
    if (!rows) return undefined;
    const { limit } = this.#page;
    if (rows.length <= limit) return { items: rows, ending: complete };
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    const cursor = last && cursorBehind(this.#page, last, limit);
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

async function* inStoreOrder<Row extends PlacedRow>(
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
      return { outcome: 'limited', cursor: last && cursorBehind(page, last, page.limit) };
    }
    left -= slice.length;
    last = slice.at(-1) ?? last;
    yield slice;
  }
  return complete;
}

/**
 * Rows of the same time stay in the order of the store. Behind a cursor come first the rows of its time that the store has
 * after its position, then all that are older.
 */
async function* newestFirst<Row extends PlacedRow>(source: RowSource<Row>, page: Page): Search<Row> {
  const wanted = page.skip + page.limit;
  const newest = new NewestRows(wanted, source.bytesOf);
  for (const { from, fences } of passesBehind(page, source.fences)) {
    if (newest.seen > wanted) break;
    for await (const slice of source.scan(from, fences)) {
      for (const row of slice) newest.offer(row);
      yield [];
    }
  }
  const rows = newest.take().slice(page.skip);
  yield rows;
  if (newest.seen <= wanted) return { outcome: 'complete' };
  const last = rows.at(-1);
  return { outcome: 'limited', cursor: last && cursorBehind(page, last, rows.length) };
}

function passesBehind({ after }: Page, fences: Fences): { from: ScanPage; fences: Fences }[] {
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

/** One row more than will be given tells whether there are more. */
function scanPage({ after, skip, limit }: Page): ScanPage {
  const wanted = limit + 1;
  if (!after && skip === 0) return { wanted };
  return { wanted, ...(after?.position ? { after: after.position } : {}), ...(skip === 0 ? {} : { skip }) };
}

/**
 * The way on behind the last of so many rows of a page. A position may be as long as the data of its row; one that is too
 * long is told by how far it is from where the page began.
 */
export function cursorBehind(paging: Paging, last: PlacedRow, given: number): string {
  const { position, lastSeconds } = last;
  if (position.length <= positionBytesMax) return cursorText(paging, { position, lastSeconds, skipped: 0 });
  const { after, offset = 0 } = paging;
  const from = after ?? { position: undefined, lastSeconds: 0, skipped: 0 };
  return cursorText(paging, { ...from, skipped: from.skipped + offset + given });
}
