/**
 * A secondary index scan: the distinct table lists names and rdata in the order of their bytes, which finds names that begin
 * with some labels, or rdata that is a name and begins with some bytes. The rows of each name found are then looked up in the
 * forward or the inverse table. A position is the length of the name, the name, and the position within its rows.
 */
import { nameLength } from '../../../model/dns/name.ts';
import { bothSelect, type TypeSelection, typeMatcher } from '../../../model/dns/type-selection.ts';
import type { Row, RowFilter, Scan } from '../../rrset-store.ts';
import type { OpenSegment } from '../open-segment.ts';
import { startsWith } from '../segment/byte-order.ts';
import { distinctKinds, nameEnd, readUint16 } from '../segment/keys.ts';
import { MergingCursor } from '../segment/merging-cursor.ts';
import type { TableName } from '../segment/segment-files.ts';
import { keysPerTimeCheck, type ResumableScan, type Skip } from './resumable-scan.ts';
import { RowScan } from './row-scan.ts';

export interface Listing {
  /** The kind of key in the distinct table. */
  readonly kind: number;
  /** The prefix of the listed names or rdata. */
  readonly prefix: Uint8Array;
  /** How the rows of a name are looked up. */
  readonly by: 'owner' | 'rdata-name';
  readonly types: TypeSelection;
}

export class ListedScan implements ResumableScan<Row> {
  readonly tables: readonly TableName[];
  readonly #scan: Scan;
  readonly #listing: Listing;
  readonly #isListed: (type: number) => boolean;
  readonly #filter: RowFilter;
  readonly #prefix: Uint8Array;
  readonly #skip: Skip;
  #segments: readonly OpenSegment[] = [];
  #names: MergingCursor | undefined;
  /** The name whose rows are being read. */
  #name: Uint8Array | undefined;
  #rows: RowScan | undefined;
  /** Where the search for the next name was interrupted. */
  #from: Uint8Array | undefined;
  #after: Uint8Array | undefined;

  constructor(scan: Scan, listing: Listing, skip: Skip) {
    this.#scan = scan;
    this.#listing = listing;
    this.tables = ['distinct', listing.by === 'owner' ? 'forward' : 'inverse'];
    this.#isListed = typeMatcher(listing.types);
    this.#filter = { ...scan.filter, types: bothSelect(listing.types, scan.filter.types) };
    this.#skip = skip;
    this.#prefix = new Uint8Array(listing.prefix.length + 1);
    this.#prefix[0] = listing.kind;
    this.#prefix.set(listing.prefix, 1);
    if (scan.after) {
      const length = nameLength(scan.after, 2);
      // A position that is not one of ours restarts the scan.
      if (length !== undefined && readUint16(scan.after, 0) === length) {
        this.#name = scan.after.slice(2, 2 + length);
        this.#after = scan.after.slice(2 + length);
      }
    }
  }

  rebind(segments: readonly OpenSegment[]): void {
    this.#segments = segments;
    this.#names = new MergingCursor(segments.map((segment) => segment.distinct));
    if (this.#rows) this.#rows.rebind(segments);
    else if (this.#name && this.#after) this.#rows = this.#rowsOf(this.#name, this.#after);
    this.#after = undefined;
  }

  release(): void {
    this.#names?.release();
    this.#names = undefined;
    this.#rows?.release();
  }

  gather(rows: Row[], rowsMax: number, untilMs: number): boolean {
    for (;;) {
      if (this.#rows && this.#name) {
        const from = rows.length;
        const done = this.#rows.gather(rows, rowsMax, untilMs);
        for (let index = from; index < rows.length; index += 1) {
          const row = rows[index] as Row;
          rows[index] = { ...row, position: within(this.#name, row.position) };
        }
        if (!done) return false;
        this.#rows.release();
        this.#rows = undefined;
      }
      const found = this.#nextName(untilMs);
      if (found === 'none') return true;
      if (found === 'interrupted') return false;
      this.#name = found;
      this.#rows = this.#rowsOf(found, undefined);
      if (rows.length >= rowsMax || performance.now() >= untilMs) return false;
    }
  }

  /** The next listed name of a wanted type. There may be many of other types before it, so this can run out of time. */
  #nextName(untilMs: number): Uint8Array | 'none' | 'interrupted' {
    const names = this.#names;
    if (!names) return 'none';
    const from = this.#from ?? (this.#name ? pastName(this.#listing.kind, this.#name) : this.#prefix);
    this.#from = undefined;
    let valid = names.seek(from);
    for (let scanned = 1; valid && startsWith(names.key, names.keyLength, this.#prefix); scanned += 1) {
      // The length of rdata is at the end of its key; a name is self-delimiting.
      const end =
        this.#listing.kind === distinctKinds.rdata
          ? 1 + readUint16(names.key, names.keyLength - 2)
          : nameEnd(names.key, 1);
      if (this.#isListed(readUint16(names.key, end))) return names.key.slice(1, end);
      valid = names.step();
      if (valid && scanned % keysPerTimeCheck === 0 && performance.now() >= untilMs) {
        this.#from = names.key.slice(0, names.keyLength);
        return 'interrupted';
      }
    }
    return 'none';
  }

  #rowsOf(name: Uint8Array, after: Uint8Array | undefined): RowScan {
    const { after: _, ...scan } = this.#scan;
    const rows = new RowScan(
      {
        ...scan,
        filter: this.#filter,
        selection: { by: this.#listing.by, name, span: 'none' },
        ...(after ? { after } : {}),
      },
      this.#skip,
      this.#scan.selection,
    );
    rows.rebind(this.#segments);
    return rows;
  }
}

/** A key after all keys of this name. */
export function pastName(kind: number, name: Uint8Array): Uint8Array {
  const key = new Uint8Array(name.length + 4);
  key[0] = kind;
  key.set(name, 1);
  key.fill(0xff, name.length + 1);
  return key;
}

export function within(name: Uint8Array, position: Uint8Array): Uint8Array {
  const whole = new Uint8Array(2 + name.length + position.length);
  whole[0] = name.length >>> 8;
  whole[1] = name.length & 0xff;
  whole.set(name, 2);
  whole.set(position, 2 + name.length);
  return whole;
}
