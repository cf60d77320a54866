/** The files of a segment, and what the manifest records of it. */
import { join } from 'node:path';

/** Each table of a segment is a file of its own; the names are the files' extensions. The manifest lists checksums in this order. */
export const tableNames = ['forward', 'inverse', 'distinct', 'trigram'] as const;
export type TableName = (typeof tableNames)[number];

export function tablePath(directory: string, segment: string, table: TableName): string {
  return join(directory, `${segment}.${table}`);
}

/** A segment as it is written. */
export interface SegmentSummary {
  readonly name: string;
  readonly rrsets: number;
  readonly bytes: number;
  readonly minFirst: number;
  readonly maxLast: number;
  /** Small segments have no trigram index; text searches read all of their distinct table. */
  readonly hasTrigrams: boolean;
  /** Of the tables, in the order of `tableNames`. */
  readonly checksums: readonly number[];
}

/** A segment as the manifest lists it. */
export interface ListedSegment extends SegmentSummary {
  /** Increases with every segment that is committed; a compacted segment inherits the highest of its sources. */
  readonly sequence: number;
  /** Whether its newly observed RRsets have been published, or need not be. */
  readonly published: boolean;
  /** The version of the file format. */
  readonly format: number;
}

/** What it takes to read a segment: version 1 is verified by the checksums of its files. */
export type SegmentSource = Pick<SegmentSummary, 'name' | 'checksums'>;

/** The checksum of a file of a segment, according to the manifest; NaN, which no file has, where none is listed. */
export function checksumOf({ checksums }: SegmentSource, table: TableName): number {
  return checksums[tableNames.indexOf(table)] ?? Number.NaN;
}
