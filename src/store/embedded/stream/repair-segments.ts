/**
 * Crash recovery: makes segment files agree with the index. Bytes behind the committed length are truncated, and files that were
 * never committed are removed. The last segment of each stream is checked against its CRC-32. One that fails was damaged by the
 * disk: it stays where it is, readers that reach the damage get an error, and nothing more is appended to it.
 */
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describeDamage } from '../../damage.ts';
import type { StreamName } from '../../stream-store.ts';
import type { Database } from '../database.ts';
import type { FileOperations } from './file-operations.ts';
import { minuteOf, segmentPath, streamDirectory } from './segment-files.ts';

const chunkBytes = 1 << 20;

interface LastSegment {
  readonly stream: StreamName;
  readonly minute: number;
  readonly bytes: number;
  readonly checksum: number;
}

export interface DamagedSegment {
  readonly stream: StreamName;
  readonly minute: number;
  readonly message: string;
}

/** Within a transaction, whose lock keeps appends out. Gives the damaged ones. */
export function repairSegments(root: string, database: Database, files: FileOperations): DamagedSegment[] {
  const last = database
    .prepare('select stream, max(minute) as minute, bytes, checksum from segment group by stream')
    .all() as LastSegment[];
  const damaged: DamagedSegment[] = [];
  for (const segment of last) {
    const directory = streamDirectory(root, segment.stream);
    for (const file of files.list(directory)) {
      const minute = minuteOf(file);
      // Older files without a row are still open in a reader, or left to the next pruning.
      if (minute !== undefined && minute > segment.minute) files.remove(join(directory, file));
    }
    const problem = findProblem(root, segment, files);
    if (!problem) continue;
    const { stream, minute } = segment;
    const message = describeDamage({ file: segmentPath(root, stream, minute), problem });
    damaged.push({ stream, minute, message });
  }
  return damaged;
}

function findProblem(root: string, segment: LastSegment, files: FileOperations): string | undefined {
  const { stream, minute, bytes, checksum } = segment;
  const file = files.openExisting(segmentPath(root, stream, minute));
  if (file === undefined) return `a file of stream ${stream} is missing`;
  try {
    const chunk = new Uint8Array(Math.min(chunkBytes, bytes + 1));
    let sum = 0;
    let at = 0;
    while (at < bytes) {
      const part = chunk.subarray(0, Math.min(chunk.length, bytes - at));
      const got = files.read(file, part, at);
      if (got === 0) return `the file of stream ${stream} has ${at} of ${bytes} bytes`;
      sum = crc32(part.subarray(0, got), sum);
      at += got;
    }
    if (files.read(file, chunk, bytes) > 0) {
      files.truncate(file, bytes);
      files.sync(file);
    }
    return sum === checksum ? undefined : `a segment of stream ${stream} does not match its checksum`;
  } finally {
    files.close(file);
  }
}
