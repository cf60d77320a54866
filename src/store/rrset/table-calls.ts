/** What the worker threads of a passive DNS store do with the tables of segments in a directory: sort, write, merge and verify them. */
import { compactTables } from './segment/compact-tables.ts';
import { checksumOf, type SegmentSource, type TableName, tablePath } from './segment/segment-files.ts';
import type { DataTable } from './segment/table-output.ts';
import { type VerifyPosition, verifyTable } from './segment/verify-table.ts';
import { writeTable } from './segment/write-table.ts';

export type TableCalls = ReturnType<typeof tableCalls>;

export interface TableCompaction {
  readonly sources: readonly SegmentSource[];
  readonly segment: string;
  readonly table: DataTable;
  readonly nowSeconds: number;
}

export function tableCalls(directory: string) {
  return {
    writeTable: (batch: Uint8Array, segment: string, table: DataTable) =>
      writeTable(batch, { directory, segment, table }),

    compactTables: ({ sources, segment, table, nowSeconds }: TableCompaction) =>
      compactTables(sources, { directory, segment, table }, nowSeconds),

    verifyTable: (source: SegmentSource, table: TableName, from: VerifyPosition) =>
      verifyTable(tablePath(directory, source.name, table), checksumOf(source, table), from),
  };
}
