/** Query planning: which scans answer a selection. */
import { nameOnlyTypes } from '../../../model/dns/rr-type.ts';
import type { TypeSelection } from '../../../model/dns/type-selection.ts';
import type { Row, Scan } from '../../rrset-store.ts';
import type { OpenSegment } from '../open-segment.ts';
import { distinctKinds } from '../segment/keys.ts';
import { ListedScan } from './listed-scan.ts';
import type { ResumableScan } from './resumable-scan.ts';
import { RowScan } from './row-scan.ts';

export const ofOneName: TypeSelection = { only: nameOnlyTypes };
export const ofMore: TypeSelection = { except: nameOnlyTypes };

export function planScan(scan: Scan): ResumableScan<Row> {
  const skip = { left: scan.skip ?? 0 };
  const { selection } = scan;
  if (selection.by === 'rdata-prefix') {
    const prefix = selection.bytes;
    const kind = distinctKinds.rdata;
    return new ScanSequence(scan, [
      (of) => new RowScan(of, skip),
      (of) => new ListedScan(of, { kind, prefix, by: 'rdata-name', types: ofOneName }, skip),
    ]);
  }
  if (selection.by === 'address' || selection.span !== 'right') return new RowScan(scan, skip);
  const prefix = selection.name.subarray(0, selection.name.length - 1);
  if (selection.by === 'owner') {
    return new ListedScan(scan, { kind: distinctKinds.owner, prefix, by: 'owner', types: 'any' }, skip);
  }
  const by = 'rdata-name';
  return new ScanSequence(scan, [
    (of) => new ListedScan(of, { kind: distinctKinds.rdataName, prefix, by, types: ofMore }, skip),
    (of) => new ListedScan(of, { kind: distinctKinds.rdata, prefix, by, types: ofOneName }, skip),
  ]);
}

type CreateScan = (scan: Scan) => ResumableScan<Row>;

/** One scan after another. A position begins with the index of its scan. */
class ScanSequence implements ResumableScan<Row> {
  /** Of all its scans, since a slice may go on from one to the next. */
  readonly tables = ['inverse', 'distinct'] as const;
  readonly #scan: Scan;
  readonly #factories: readonly CreateScan[];
  #index: number;
  #current: ResumableScan<Row>;
  #segments: readonly OpenSegment[] = [];

  constructor(scan: Scan, factories: readonly CreateScan[]) {
    const { after, ...rest } = scan;
    this.#scan = rest;
    this.#factories = factories;
    this.#index = Math.min(after?.[0] ?? 0, factories.length - 1);
    this.#current = this.#create(after ? { ...rest, after: after.subarray(1) } : rest);
  }

  #create(scan: Scan): ResumableScan<Row> {
    return (this.#factories[this.#index] as CreateScan)(scan);
  }

  rebind(segments: readonly OpenSegment[]): void {
    this.#segments = segments;
    this.#current.rebind(segments);
  }

  release(): void {
    this.#current.release();
  }

  gather(rows: Row[], rowsMax: number, untilMs: number): boolean {
    for (;;) {
      const from = rows.length;
      const done = this.#current.gather(rows, rowsMax, untilMs);
      for (let index = from; index < rows.length; index += 1) {
        const row = rows[index] as Row;
        rows[index] = { ...row, position: Uint8Array.of(this.#index, ...row.position) };
      }
      if (!done) return false;
      this.#index += 1;
      if (this.#index >= this.#factories.length) return true;
      this.#current.release();
      this.#current = this.#create(this.#scan);
      this.#current.rebind(this.#segments);
    }
  }
}
