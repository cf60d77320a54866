/** How the rows of a selection are walked over. */
import { isNameOnlyType } from '../../../model/dns/rr-type.ts';
import type { Row, Scan } from '../../rrset-store.ts';
import { distincts } from './keys.ts';
import { ListedWalk } from './listed-walk.ts';
import type { OpenRun } from './open-runs.ts';
import { RowWalk, type Walk } from './row-walk.ts';

const isNotNameOnly = (type: number) => !isNameOnlyType(type);
const isAny = () => true;

export function walkOf(scan: Scan): Walk<Row> {
  const skip = { left: scan.skip ?? 0 };
  const { selection } = scan;
  if (selection.by === 'rdata-prefix') {
    const prefix = selection.bytes;
    const kind = distincts.rdata;
    return new Sequence(scan, [
      (of) => new RowWalk(of, skip),
      (of) => new ListedWalk(of, { kind, prefix, by: 'rdata-name', keepsType: isNameOnlyType }, skip),
    ]);
  }
  if (selection.by === 'address' || selection.span !== 'right') return new RowWalk(scan, skip);
  const prefix = selection.name.subarray(0, selection.name.length - 1);
  if (selection.by === 'owner') {
    return new ListedWalk(scan, { kind: distincts.owner, prefix, by: 'owner', keepsType: isAny }, skip);
  }
  const by = 'rdata-name';
  return new Sequence(scan, [
    (of) => new ListedWalk(of, { kind: distincts.rdataName, prefix, by, keepsType: isNotNameOnly }, skip),
    (of) => new ListedWalk(of, { kind: distincts.rdata, prefix, by, keepsType: isNameOnlyType }, skip),
  ]);
}

type MakeWalk = (scan: Scan) => Walk<Row>;

/** One walk after another. A position begins with the number of its walk. */
class Sequence implements Walk<Row> {
  readonly #scan: Scan;
  readonly #walks: readonly MakeWalk[];
  #number: number;
  #walk: Walk<Row>;
  #runs: readonly OpenRun[] = [];

  constructor(scan: Scan, walks: readonly MakeWalk[]) {
    const { after, ...rest } = scan;
    this.#scan = rest;
    this.#walks = walks;
    this.#number = Math.min(after?.[0] ?? 0, walks.length - 1);
    this.#walk = this.#make(after ? { ...rest, after: after.subarray(1) } : rest);
  }

  #make(scan: Scan): Walk<Row> {
    return (this.#walks[this.#number] as MakeWalk)(scan);
  }

  rebind(runs: readonly OpenRun[]): void {
    this.#runs = runs;
    this.#walk.rebind(runs);
  }

  release(): void {
    this.#walk.release();
  }

  gather(rows: Row[], rowsMax: number, untilMs: number): boolean {
    for (;;) {
      const from = rows.length;
      const done = this.#walk.gather(rows, rowsMax, untilMs);
      for (let index = from; index < rows.length; index += 1) {
        const row = rows[index] as Row;
        rows[index] = { ...row, position: Uint8Array.of(this.#number, ...row.position) };
      }
      if (!done) return false;
      this.#number += 1;
      if (this.#number >= this.#walks.length) return true;
      this.#walk.release();
      this.#walk = this.#make(this.#scan);
      this.#walk.rebind(this.#runs);
    }
  }
}
