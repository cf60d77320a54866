/** Bounds an answer: as many rows as fit, in as much detail as leaves space for at least one. Nothing is left out without saying so. */
import { type Detail, fullDetail } from './third-parties.ts';

export interface FittedRows<Row> {
  readonly rows: readonly Row[];
  /** How many did not fit. */
  readonly cut: number;
}

const details: readonly Detail[] = [
  fullDetail,
  { valuesMax: 3, charactersMax: 80 },
  { valuesMax: 1, charactersMax: 40 },
];

/** `headBytes`: everything of the answer but its rows. */
export function fitRows<Row extends object>(
  rowsIn: (detail: Detail) => readonly Row[],
  { bytesMax, headBytes }: { readonly bytesMax: number; readonly headBytes: number },
): FittedRows<Row> {
  let fitted: FittedRows<Row> = { rows: [], cut: 0 };
  for (const detail of details) {
    const rows = rowsIn(detail);
    fitted = firstThatFit(rows, bytesMax - headBytes);
    if (fitted.rows.length > 0 || rows.length === 0) break;
  }
  return fitted;
}

function firstThatFit<Row extends object>(rows: readonly Row[], bytesMax: number): FittedRows<Row> {
  let bytes = 2;
  let count = 0;
  for (const row of rows) {
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1;
    if (bytes > bytesMax) break;
    count += 1;
  }
  return { rows: rows.slice(0, count), cut: rows.length - count };
}
