/** The rows of the manifest's list of segments, which is the table `run`. */
import { crc32 } from 'node:zlib';
import type { ListedSegment } from '../../rrset/segment/segment-files.ts';

export interface SegmentRow {
  readonly name: string;
  readonly rrsets: number;
  readonly bytes: number;
  readonly min_first: number;
  readonly max_last: number;
  readonly has_trigrams: number;
  readonly checksums: string;
  readonly sequence: number;
  readonly told: number;
  readonly format: number;
  readonly merging_by: string | null;
  readonly merging_until: number | null;
}

export function listedSegmentOf(row: SegmentRow): ListedSegment {
  return {
    name: row.name,
    rrsets: row.rrsets,
    bytes: row.bytes,
    minFirst: row.min_first,
    maxLast: row.max_last,
    hasTrigrams: row.has_trigrams === 1,
    checksums: row.checksums.split(' ').map(Number),
    sequence: row.sequence,
    published: row.told === 1,
    format: row.format,
  };
}

/** Over everything that rows in this order say, except the claims, which come and go. */
export function listChecksum(rows: readonly SegmentRow[]): number {
  let checksum = 0;
  for (const row of rows) checksum = crc32(`${lineOf(row)}\n`, checksum);
  return checksum;
}

function lineOf(row: SegmentRow): string {
  return [
    row.name,
    row.rrsets,
    row.bytes,
    row.min_first,
    row.max_last,
    row.has_trigrams,
    row.checksums,
    row.sequence,
    row.told,
    row.format,
  ].join(' ');
}
