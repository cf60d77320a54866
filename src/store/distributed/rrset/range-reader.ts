/** Reads the rows of a selection that are in one or more ranges of keys, page by page. Each page begins after the key that the last one ended with. */
import { holdsSeveralNames } from '../../../model/dns/rr-type.ts';
import type { Sighting } from '../../../model/dns/rrset.ts';
import { ForwardRow } from '../../rrset/scan/forward-row.ts';
import { type KeyRange, rangesOf } from '../../rrset/scan/key-ranges.ts';
import type { Skip } from '../../rrset/scan/resumable-scan.ts';
import {
  inverseRow,
  isAfterMark,
  isDuplicate,
  matchesFilter,
  splitMark,
  withMark,
} from '../../rrset/scan/row-scan.ts';
import { typeOfInverseKey } from '../../rrset/segment/keys.ts';
import { downsample } from '../../rrset/segment/time-buckets.ts';
import type { Position, Row, Scan, Selection } from '../../rrset-store.ts';
import { type KeyQuery, rowKinds } from '../clickhouse/sql.ts';
import { labelCount } from './batch-blocks.ts';
import type { PageReader } from './paged-slices.ts';
import type { KeyBuckets, KeySighting, RowTable } from './row-table.ts';

/** Rows of a page: what is wanted, and more with each page. */
const pageRows = { least: 20, most: 1000, growth: 4 };

export interface RangeOptions {
  /** Rows that are still to be skipped. */
  readonly skip: Skip;
  /** That of the query, where this reads a part of it. */
  readonly whole?: Selection;
  /** Instead of those of the selection. */
  readonly ranges?: readonly KeyRange[];
  /** Whether nothing is read after it, so that the server may skip rows. */
  readonly isLast?: boolean;
}

export class RangeReader implements PageReader<Row> {
  readonly #table: RowTable;
  readonly #scan: Scan;
  readonly #options: RangeOptions;
  readonly #ranges: readonly KeyRange[];
  readonly #isForward: boolean;
  #limit: number;
  #after: { readonly key: Uint8Array; readonly mark?: Uint8Array } | undefined;
  /** Whether the last page was not full. */
  isDone = false;

  constructor(table: RowTable, scan: Scan, options: RangeOptions) {
    this.#table = table;
    this.#scan = scan;
    this.#options = options;
    this.#ranges = options.ranges ?? rangesOf(scan.selection);
    this.#isForward = this.#ranges[0]?.table === 'forward';
    this.#limit = Math.min(Math.max(scan.wanted ?? pageRows.most, pageRows.least), pageRows.most);
    if (scan.after) this.#after = scan.merged ? { key: scan.after } : splitMark(scan.after);
  }

  async nextPage(signal: AbortSignal): Promise<readonly Row[] | undefined> {
    if (this.isDone) return undefined;
    const limit = this.#limit;
    this.#limit = Math.min(limit * pageRows.growth, pageRows.most);
    const query = this.#query(limit);
    const rows: Row[] = [];
    if (this.#scan.merged) {
      const found = await this.#table.readMerged(query, this.#scan.filter, signal);
      if (query.skip) this.#options.skip.left = 0;
      for (const row of found) this.#addMerged(row, rows);
      this.#advance(found, limit);
    } else {
      const found = await this.#table.readBuckets(query, signal);
      for (const row of found) this.#addBuckets(row, rows);
      this.#advance(found, limit);
    }
    return rows;
  }

  #query(limit: number): KeyQuery {
    const { selection, filter, merged, bailiwick } = this.#scan;
    const { skip, isLast = false } = this.#options;
    const isChild = 'span' in selection && selection.span === 'child';
    const isOneOwner = selection.by === 'owner' && selection.span === 'none' && this.#ranges.length === 1;
    return {
      kind: this.#isForward ? rowKinds.forward : rowKinds.inverse,
      ranges: this.#ranges,
      types: filter.types,
      labels: isChild ? labelCount(selection.name, 0) + 1 : undefined,
      bailiwick,
      owner: isOneOwner ? selection.name : undefined,
      isPoint: isPoint(selection) && this.#ranges.length === 1 && !this.#after && skip.left === 0,
      after: this.#after && { key: this.#after.key, isIncluded: this.#after.mark !== undefined },
      limit,
      // Rdata with several names may be found under each of them, which only its rows show.
      skip: isLast && merged && this.#table.isWhole && selection.by !== 'rdata-name' ? skip.left : 0,
    };
  }

  #advance(found: readonly { readonly key: Uint8Array }[], limit: number): void {
    const last = found.at(-1);
    if (last) this.#after = { key: last.key };
    if (found.length < limit) this.isDone = true;
  }

  #addMerged({ key, ...sighting }: KeySighting, rows: Row[]): void {
    if (this.#isRepeated(key) || this.#skipsRow()) return;
    rows.push(this.#rowOf(key, sighting, undefined));
  }

  #addBuckets({ key, buckets }: KeyBuckets, rows: Row[]): void {
    if (this.#isRepeated(key)) return;
    const { filter, nowSeconds } = this.#scan;
    const after = this.#after;
    const mark = after?.mark && Buffer.compare(after.key, key) === 0 ? after.mark : undefined;
    for (const bucket of downsample(buckets, nowSeconds)) {
      if (mark && !isAfterMark(bucket, mark)) continue;
      if (!matchesFilter(filter, bucket) || this.#skipsRow()) continue;
      rows.push(this.#rowOf(key, bucket, withMark(key, key.length, bucket)));
    }
  }

  #rowOf(key: Uint8Array, sighting: Sighting, position: Position | undefined): Row {
    if (!this.#isForward) return inverseRow(key, position ?? key, sighting);
    return new ForwardRow(key, key.length, sighting, position ? { position } : {});
  }

  #isRepeated(key: Uint8Array): boolean {
    if (this.#isForward || !holdsSeveralNames(typeOfInverseKey(key, key.length))) return false;
    return isDuplicate(this.#options.whole ?? this.#scan.selection, key, key.length);
  }

  #skipsRow(): boolean {
    const { skip } = this.#options;
    if (skip.left === 0) return false;
    skip.left -= 1;
    return true;
  }
}

/** Whether it is one name or one address. */
function isPoint(selection: Selection): boolean {
  if (selection.by === 'address') return Buffer.compare(selection.from, selection.to) === 0;
  return selection.by !== 'rdata-prefix' && selection.span === 'none';
}
