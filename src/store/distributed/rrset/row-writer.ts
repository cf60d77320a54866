/** Writes rows of the table of passive DNS, as one block. */
import { ColumnWriter, nativeBlock } from '../clickhouse/native-block.ts';
import { type Dialect, type RowKind, rowKinds } from '../clickhouse/sql.ts';

export interface WrittenRow {
  readonly kind: RowKind;
  readonly key: Uint8Array;
  readonly unit: number;
  readonly startSeconds: number;
  readonly type: number;
  readonly labels: number;
  readonly bailiwick: Uint8Array;
  /** In Latin-1. */
  readonly text: string;
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

export const noBytes = new Uint8Array(0);

export class RowWriter {
  rows = 0;
  readonly #dialect: Dialect;
  readonly #sequence: number;
  readonly #columns: readonly ColumnWriter[];

  constructor(dialect: Dialect, sequence: number) {
    this.#dialect = dialect;
    this.#sequence = sequence;
    this.#columns = dialect.columns.map(() => new ColumnWriter());
  }

  add(row: WrittenRow): void {
    const [kind, key, unit, start, type, labels, bailiwick, text, first, last, count, sequence] = this
      .#columns as Columns;
    const { storesStates } = this.#dialect;
    kind.uint8(row.kind);
    key.string(row.key);
    unit.uint8(row.unit);
    start.uint32(row.startSeconds);
    type.uint16(row.type);
    labels.uint8(row.labels);
    bailiwick.string(row.bailiwick);
    text.latin1(row.text);
    // The state of a smallest or greatest value begins with whether there is one; that of a sum is the sum.
    if (storesStates) for (const column of [first, last, sequence]) column.uint8(1);
    first.uint32(row.first);
    last.uint32(row.last);
    count.uint64(row.count);
    sequence.uint64(this.#sequence);
    this.rows += 1;
  }

  /** The row by which it is found out whether the block was inserted. */
  addMarker(batchId: Uint8Array): void {
    this.add({
      kind: rowKinds.marker,
      key: batchId,
      unit: 0,
      startSeconds: 0,
      type: 0,
      labels: 0,
      bailiwick: noBytes,
      text: '',
      first: 0,
      last: 0,
      count: 0,
    });
  }

  finish(): Uint8Array<ArrayBuffer> {
    return nativeBlock(this.#dialect.columns, this.#columns, this.rows);
  }
}

type Columns = readonly [
  ColumnWriter,
  ColumnWriter,
  ColumnWriter,
  ColumnWriter,
  ColumnWriter,
  ColumnWriter,
  ColumnWriter,
  ColumnWriter,
  ColumnWriter,
  ColumnWriter,
  ColumnWriter,
  ColumnWriter,
];

/** Writes rows of the table of batches, as one block. */
export class BatchRowWriter {
  rows = 0;
  readonly #dialect: Dialect;
  readonly #sequence: number;
  readonly #columns: readonly ColumnWriter[];

  constructor(dialect: Dialect, sequence: number) {
    this.#dialect = dialect;
    this.#sequence = sequence;
    this.#columns = dialect.batchColumns.map(() => new ColumnWriter());
  }

  add(row: Pick<WrittenRow, 'kind' | 'key' | 'first' | 'last' | 'count'>): void {
    const [sequence, kind, key, first, last, count] = this.#columns as BatchColumns;
    sequence.uint64(this.#sequence);
    kind.uint8(row.kind);
    key.string(row.key);
    first.uint32(row.first);
    last.uint32(row.last);
    count.uint64(row.count);
    this.rows += 1;
  }

  finish(): Uint8Array<ArrayBuffer> {
    return nativeBlock(this.#dialect.batchColumns, this.#columns, this.rows);
  }
}

type BatchColumns = readonly [
  ColumnWriter,
  ColumnWriter,
  ColumnWriter,
  ColumnWriter,
  ColumnWriter,
  ColumnWriter,
];
