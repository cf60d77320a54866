/**
 * Rows found by way of the distinct part, which lists names and data in the order of their bytes: names that begin with some
 * labels, or data that is a name and begins with some bytes. For each name found there its rows are looked up. A position is the
 * length of the name, the name, and the position in its rows.
 */
import { nameLength } from '../../../model/dns/name.ts';
import type { Row, Scan } from '../../rrset-store.ts';
import { startsWith } from './byte-order.ts';
import { distincts, nameEnd, readTwo } from './keys.ts';
import type { OpenRun } from './open-runs.ts';
import { PartMerge } from './part-merge.ts';
import { keysBetweenLooks, RowWalk, type Skip, type Walk } from './row-walk.ts';

export interface Listing {
  /** Of the distinct part. */
  readonly kind: number;
  /** What the listed names or data begin with. */
  readonly prefix: Uint8Array;
  /** How the rows of a name are found. */
  readonly by: 'owner' | 'rdata-name';
  readonly keepsType: (type: number) => boolean;
}

export class ListedWalk implements Walk<Row> {
  readonly #scan: Scan;
  readonly #listing: Listing;
  readonly #prefix: Uint8Array;
  readonly #skip: Skip;
  #runs: readonly OpenRun[] = [];
  #names: PartMerge | undefined;
  /** The name whose rows are being read. */
  #name: Uint8Array | undefined;
  #rows: RowWalk | undefined;
  /** Where the search for the next name was broken off. */
  #from: Uint8Array | undefined;
  #after: Uint8Array | undefined;

  constructor(scan: Scan, listing: Listing, skip: Skip) {
    this.#scan = scan;
    this.#listing = listing;
    this.#skip = skip;
    this.#prefix = new Uint8Array(listing.prefix.length + 1);
    this.#prefix[0] = listing.kind;
    this.#prefix.set(listing.prefix, 1);
    if (scan.after) {
      const length = nameLength(scan.after, 2);
      // A position that we did not make is a walk from the start.
      if (length !== undefined && readTwo(scan.after, 0) === length) {
        this.#name = scan.after.slice(2, 2 + length);
        this.#after = scan.after.slice(2 + length);
      }
    }
  }

  rebind(runs: readonly OpenRun[]): void {
    this.#runs = runs;
    this.#names = new PartMerge(runs.map((run) => run.distinct));
    if (this.#rows) this.#rows.rebind(runs);
    else if (this.#name && this.#after) this.#rows = this.#rowsOf(this.#name, this.#after);
    this.#after = undefined;
  }

  release(): void {
    this.#names?.release();
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
      if (found === 'later') return false;
      this.#name = found;
      this.#rows = this.#rowsOf(found, undefined);
      if (rows.length >= rowsMax || performance.now() >= untilMs) return false;
    }
  }

  /** The next listed name of a type that is kept; there may be many of other types before it. */
  #nextName(untilMs: number): Uint8Array | 'none' | 'later' {
    const names = this.#names;
    if (!names) return 'none';
    const from = this.#from ?? (this.#name ? pastName(this.#listing.kind, this.#name) : this.#prefix);
    this.#from = undefined;
    let standing = names.seek(from);
    for (let looked = 1; standing && startsWith(names.key, names.keyLength, this.#prefix); looked += 1) {
      // Data is as long as its key says; a name ends by itself.
      const end =
        this.#listing.kind === distincts.rdata
          ? 1 + readTwo(names.key, names.keyLength - 2)
          : nameEnd(names.key, 1);
      if (this.#listing.keepsType(readTwo(names.key, end))) return names.key.slice(1, end);
      standing = names.step();
      if (standing && looked % keysBetweenLooks === 0 && performance.now() >= untilMs) {
        this.#from = names.key.slice(0, names.keyLength);
        return 'later';
      }
    }
    return 'none';
  }

  #rowsOf(name: Uint8Array, after: Uint8Array | undefined): RowWalk {
    const { after: _, filter, ...scan } = this.#scan;
    const { by, keepsType } = this.#listing;
    const walk = new RowWalk(
      {
        ...scan,
        filter: { ...filter, keepsType: (type) => keepsType(type) && filter.keepsType(type) },
        selection: { by, name, span: 'none' },
        ...(after ? { after } : {}),
      },
      this.#skip,
      this.#scan.selection,
    );
    walk.rebind(this.#runs);
    return walk;
  }
}

/** After everything that is listed of this name. */
function pastName(kind: number, name: Uint8Array): Uint8Array {
  const key = new Uint8Array(name.length + 4);
  key[0] = kind;
  key.set(name, 1);
  key.fill(0xff, name.length + 1);
  return key;
}

function within(name: Uint8Array, position: Uint8Array): Uint8Array {
  const whole = new Uint8Array(2 + name.length + position.length);
  whole[0] = name.length >>> 8;
  whole[1] = name.length & 0xff;
  whole.set(name, 2);
  whole.set(position, 2 + name.length);
  return whole;
}
