/** The segments that scans read, as their store opened them. */
import type { ListedSegment, TableName } from './segment/segment-files.ts';
import type { TableReader } from './segment/table-reader.ts';

export interface OpenSegment {
  /** As of when the segment was opened; it may have been published since. */
  readonly summary: ListedSegment;
  readonly forward: TableReader;
  readonly inverse: TableReader;
  readonly distinct: TableReader;
  readonly trigram: TableReader | undefined;
}

export interface LiveSegments {
  /** The same array until something changes. Segments that were compacted away are closed, so do not keep it across an await. */
  current(): readonly OpenSegment[];
  /** What must be awaited before these tables are read from `current()`; undefined where they can be read at once. */
  prepare(tables: readonly TableName[]): Promise<void> | undefined;
}

export function tablesOf({ forward, inverse, distinct, trigram }: OpenSegment): readonly TableReader[] {
  return trigram ? [forward, inverse, distinct, trigram] : [forward, inverse, distinct];
}
