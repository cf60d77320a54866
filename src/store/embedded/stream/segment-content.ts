/** What the index knows of the lines in a segment, and what becomes of that when lines follow. */
import { crc32 } from 'node:zlib';
import { countLines } from '../../../model/count-lines.ts';
import { appendChecksums } from '../../checked-file/block-checksums.ts';

export interface SegmentContent {
  readonly bytes: number;
  readonly lines: number;
  /** CRC-32 of these bytes. */
  readonly checksum: number;
  /** Undefined if an earlier version began the segment. */
  readonly blockChecksums: Uint8Array | undefined;
}

export function growSegment(content: SegmentContent, appended: Uint8Array): SegmentContent {
  const { bytes, lines, checksum, blockChecksums } = content;
  return {
    bytes: bytes + appended.length,
    lines: lines + countLines(appended),
    checksum: crc32(appended, checksum),
    blockChecksums: blockChecksums && appendChecksums(blockChecksums, bytes, appended),
  };
}
