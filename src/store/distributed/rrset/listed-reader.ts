/**
 * Reads the rows of names that begin with some labels, or of rdata that is a name and begins with some bytes: names are listed in the order of
 * their bytes, some at a time, and then their rows are looked up together.
 */
import { nameLength } from '../../../model/dns/name.ts';
import { bothSelect } from '../../../model/dns/type-selection.ts';
import { rangesOf } from '../../rrset/scan/key-ranges.ts';
import { type Listing, pastName, within } from '../../rrset/scan/listed-scan.ts';
import type { Skip } from '../../rrset/scan/resumable-scan.ts';
import { distinctKinds, nameEnd, readUint16, reverseLabels } from '../../rrset/segment/keys.ts';
import type { Row, Scan } from '../../rrset-store.ts';
import { rowKinds } from '../clickhouse/sql.ts';
import { latin1 } from './known-names.ts';
import type { PageReader } from './paged-slices.ts';
import { RangeReader } from './range-reader.ts';
import type { RowTable } from './row-table.ts';

/** Listed at a time. Each may be listed with several types. */
const keysPerPage = 64;

export class ListedReader implements PageReader<Row> {
  readonly #table: RowTable;
  readonly #scan: Scan;
  readonly #listing: Listing;
  readonly #skip: Skip;
  readonly #prefix: Uint8Array;
  /** Listed names whose rows are still to be read. */
  #names: readonly Uint8Array[] = [];
  /** The name whose rows are being read, where they are more than a page, or the scan begins within them. */
  #current: { readonly name: Uint8Array; readonly rows: RangeReader } | undefined;
  #from: Uint8Array | undefined;
  #isListed = false;

  constructor(table: RowTable, scan: Scan, listing: Listing, skip: Skip) {
    this.#table = table;
    const { after, ...rest } = scan;
    this.#scan = { ...rest, filter: { ...scan.filter, types: bothSelect(listing.types, scan.filter.types) } };
    this.#listing = listing;
    this.#skip = skip;
    this.#prefix = Uint8Array.of(listing.kind, ...listing.prefix);
    if (after) this.#resume(after);
  }

  /** A position that is not one of ours restarts the scan. */
  #resume(after: Uint8Array): void {
    const length = nameLength(after, 2);
    if (length === undefined || readUint16(after, 0) !== length) return;
    const name = after.slice(2, 2 + length);
    this.#from = pastName(this.#listing.kind, name);
    this.#current = { name, rows: this.#rowsOf([name], { after: after.slice(2 + length) }) };
  }

  async nextPage(signal: AbortSignal): Promise<readonly Row[] | undefined> {
    if (this.#current) {
      const { name, rows } = this.#current;
      const page = await rows.nextPage(signal);
      if (page) return page.map((row) => positioned(row, name));
      this.#current = undefined;
    }
    if (this.#names.length === 0) {
      if (this.#isListed) return undefined;
      this.#names = await this.#listNames(signal);
      return this.#names.length === 0 ? undefined : [];
    }
    return this.#readNames(signal);
  }

  /** The rows of all listed names, if they fit into a page; otherwise those of the first name are read by themselves. */
  async #readNames(signal: AbortSignal): Promise<readonly Row[]> {
    const names = this.#names;
    if (names.length > 1) {
      // What is skipped goes by the order of the list, which is not that of the keys.
      const reader = this.#rowsOf(names, { wanted: Number.MAX_SAFE_INTEGER }, { left: 0 });
      const page = await reader.nextPage(signal);
      if (reader.isDone) {
        this.#names = [];
        return this.#unskipped(inOrderOf(names, page ?? [], this.#listing.by));
      }
    }
    const [name, ...rest] = names;
    this.#names = rest;
    if (name) this.#current = { name, rows: this.#rowsOf([name], {}) };
    return [];
  }

  async #listNames(signal: AbortSignal): Promise<readonly Uint8Array[]> {
    const { kind, types } = this.#listing;
    const keys = await this.#table.readKeys(
      {
        kind: rowKinds.distinct,
        ranges: [{ table: 'inverse', from: this.#prefix, upTo: this.#prefix }],
        types,
        after: this.#from && { key: this.#from, isIncluded: true },
        limit: keysPerPage,
      },
      signal,
    );
    const names = new Map<string, Uint8Array>();
    for (const key of keys) {
      // The length of rdata is at the end of its key; a name is self-delimiting.
      const end = kind === distinctKinds.rdata ? 1 + readUint16(key, key.length - 2) : nameEnd(key, 1);
      const name = key.slice(1, end);
      names.set(latin1(name), name);
      this.#from = pastName(kind, name);
    }
    this.#isListed = keys.length < keysPerPage;
    return [...names.values()];
  }

  #unskipped(rows: readonly Row[]): readonly Row[] {
    const skipped = Math.min(this.#skip.left, rows.length);
    this.#skip.left -= skipped;
    return rows.slice(skipped);
  }

  #rowsOf(
    names: readonly Uint8Array[],
    more: Pick<Scan, 'after' | 'wanted'>,
    skip: Skip = this.#skip,
  ): RangeReader {
    const { by } = this.#listing;
    const selections = names.map((name) => ({ by, name, span: 'none' }) as const);
    const [selection] = selections;
    if (!selection) throw new Error('no name is listed');
    const scan = { ...this.#scan, ...more, selection };
    const ranges = selections.flatMap((one) => rangesOf(one));
    return new RangeReader(this.#table, scan, { skip, whole: this.#scan.selection, ranges });
  }
}

function positioned(row: Row, name: Uint8Array): Row {
  const { origin, owner, type, bailiwick, rdata, firstSeconds, lastSeconds, count } = row;
  const position = within(name, row.position);
  return { origin, owner, type, bailiwick, rdata, firstSeconds, lastSeconds, count, position };
}

/** Rows of several names come in the order of their keys. */
function inOrderOf(names: readonly Uint8Array[], rows: readonly Row[], by: Listing['by']): readonly Row[] {
  const byName = new Map<string, Row[]>(names.map((name) => [latin1(name), []]));
  for (const row of rows) {
    const { position } = row;
    const name = by === 'owner' ? row.owner : reverseLabels(position, 1);
    byName.get(latin1(name))?.push(row);
  }
  return names.flatMap((name) => (byName.get(latin1(name)) ?? []).map((row) => positioned(row, name)));
}
