/** The rows of the list of segments. */
import { type ListedSegment, type TableName, tableNames } from '../../rrset/segment/segment-files.ts';
import type { Fragment, Sql } from '../postgres/database.ts';

export interface StoredSegment extends ListedSegment {
  readonly object: string;
  /** In the order of `tableNames`; the tables are in this order in the object. */
  readonly tableBytes: readonly number[];
}

export interface SegmentRow {
  readonly name: string;
  readonly sequence: number;
  readonly published: boolean;
  readonly rrsets: number;
  readonly min_first: number;
  readonly max_last: number;
  readonly format: number;
  readonly checksums: readonly (number | string)[];
  readonly table_bytes: readonly (number | string)[];
  readonly object: string;
}

export function segmentColumns(sql: Sql): Fragment {
  return sql`name, sequence, published, rrsets, min_first, max_last, format, checksums, table_bytes, object`;
}

export function listedOf(row: SegmentRow): StoredSegment {
  const tableBytes = row.table_bytes.map(Number);
  return {
    name: row.name,
    sequence: row.sequence,
    published: row.published,
    rrsets: row.rrsets,
    minFirst: row.min_first,
    maxLast: row.max_last,
    format: row.format,
    checksums: row.checksums.map(Number),
    hasTrigrams: tableBytes.length === tableNames.length,
    bytes: tableBytes.reduce((sum, bytes) => sum + bytes, 0),
    object: row.object,
    tableBytes,
  };
}

/** The tables that the segment has, of these. */
export function tablesIn(
  { tableBytes }: StoredSegment,
  tables: readonly TableName[] = tableNames,
): readonly TableName[] {
  return tables.filter((table) => tableNames.indexOf(table) < tableBytes.length);
}

/** Where a table is in the object of its segment. */
export function rangeOf({ tableBytes }: StoredSegment, table: TableName): { from: number; to: number } {
  const index = tableNames.indexOf(table);
  const from = tableBytes.slice(0, index).reduce((sum, bytes) => sum + bytes, 0);
  return { from, to: from + (tableBytes[index] ?? 0) };
}
