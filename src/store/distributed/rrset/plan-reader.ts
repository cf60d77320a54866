/** Which readers answer a scan, as the plan of the embedded store has it: positions are the same in both. */

import { ofMore, ofOneName } from '../../rrset/scan/plan-scan.ts';
import { distinctKinds } from '../../rrset/segment/keys.ts';
import type { Row, Scan } from '../../rrset-store.ts';
import { ListedReader } from './listed-reader.ts';
import type { PageReader } from './paged-slices.ts';
import { RangeReader } from './range-reader.ts';
import type { RowTable } from './row-table.ts';

export function planReader(table: RowTable, scan: Scan): PageReader<Row> {
  const skip = { left: scan.skip ?? 0 };
  const { selection } = scan;
  if (selection.by === 'rdata-prefix') {
    const listing = {
      kind: distinctKinds.rdata,
      prefix: selection.bytes,
      by: 'rdata-name',
      types: ofOneName,
    } as const;
    return new ReaderSequence(scan, [
      (of) => new RangeReader(table, of, { skip }),
      (of) => new ListedReader(table, of, listing, skip),
    ]);
  }
  if (selection.by === 'address' || selection.span !== 'right') {
    return new RangeReader(table, scan, { skip, isLast: true });
  }
  const prefix = selection.name.subarray(0, selection.name.length - 1);
  if (selection.by === 'owner') {
    const listing = { kind: distinctKinds.owner, prefix, by: 'owner', types: 'any' } as const;
    return new ListedReader(table, scan, listing, skip);
  }
  const listings = [
    { kind: distinctKinds.rdataName, prefix, by: 'rdata-name', types: ofMore },
    { kind: distinctKinds.rdata, prefix, by: 'rdata-name', types: ofOneName },
  ] as const;
  const readers = listings.map((listing) => (of: Scan) => new ListedReader(table, of, listing, skip));
  return new ReaderSequence(scan, readers);
}

type CreateReader = (scan: Scan) => PageReader<Row>;

/** One reader after another. A position begins with the index of its reader. */
class ReaderSequence implements PageReader<Row> {
  readonly #scan: Scan;
  readonly #factories: readonly CreateReader[];
  #index: number;
  #current: PageReader<Row>;

  constructor(scan: Scan, factories: readonly CreateReader[]) {
    const { after, ...rest } = scan;
    this.#scan = rest;
    this.#factories = factories;
    this.#index = Math.min(after?.[0] ?? 0, factories.length - 1);
    this.#current = this.#create(after ? { ...rest, after: after.subarray(1) } : rest);
  }

  #create(scan: Scan): PageReader<Row> {
    return (this.#factories[this.#index] as CreateReader)(scan);
  }

  async nextPage(signal: AbortSignal): Promise<readonly Row[] | undefined> {
    for (;;) {
      const page = await this.#current.nextPage(signal);
      if (page) return page.map((row) => ({ ...row, position: Uint8Array.of(this.#index, ...row.position) }));
      this.#index += 1;
      if (this.#index >= this.#factories.length) return undefined;
      this.#current = this.#create(this.#scan);
    }
  }
}
