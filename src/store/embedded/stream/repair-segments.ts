/**
 * Crash recovery: makes segment files agree with the index. Bytes behind the committed length are truncated, and files that were
 * never committed are removed. The last segment of each stream is checked against its CRC-32; one that fails was damaged by the
 * disk and is renamed to `.damaged`: the stream then ends before it, and consumer offsets beyond that are moved back.
 */
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Database } from '../database.ts';
import type { FileOperations } from './file-operations.ts';
import { minuteOf, segmentPath, streamDirectory } from './segment-files.ts';

const chunkBytes = 1 << 20;

interface LastSegment {
  readonly stream: string;
  readonly minute: number;
  readonly start_byte: number;
  readonly start_line: number;
  readonly bytes: number;
  readonly checksum: number;
}

/** Within a transaction, whose lock keeps appends out. Gives a message for each damaged segment. */
export function repairSegments(root: string, database: Database, files: FileOperations): string[] {
  const last = database
    .prepare(
      'select stream, max(minute) as minute, start_byte, start_line, bytes, checksum from segment group by stream',
    )
    .all() as LastSegment[];
  const faults: string[] = [];
  for (const segment of last) {
    const directory = streamDirectory(root, segment.stream);
    for (const file of files.list(directory)) {
      const minute = minuteOf(file);
      // Older files without a row are still open in a reader, or left to the next pruning.
      if (minute !== undefined && minute > segment.minute) files.remove(join(directory, file));
    }
    if (truncateAndCheck(root, segment, files)) continue;
    const path = segmentPath(root, segment.stream, segment.minute);
    files.rename(path, `${path}.damaged`);
    truncateStream(segment, database);
    faults.push(`${path} is damaged: it was renamed to ${path}.damaged, and its lines are not served`);
  }
  return faults;
}

function truncateStream({ stream, minute, start_byte, start_line }: LastSegment, database: Database): void {
  database.prepare('delete from segment where stream = ? and minute = ?').run(stream, minute);
  database
    .prepare('update stream set bytes = ?, lines = ? where name = ?')
    .run(start_byte, start_line, stream);
  database
    .prepare('update reader set place = ? where stream = ? and place > ?')
    .run(start_byte, stream, start_byte);
}

function truncateAndCheck(
  root: string,
  { stream, minute, bytes, checksum }: LastSegment,
  files: FileOperations,
): boolean {
  const file = files.open(segmentPath(root, stream, minute));
  try {
    const chunk = new Uint8Array(Math.min(chunkBytes, bytes + 1));
    let sum = 0;
    let at = 0;
    while (at < bytes) {
      const part = chunk.subarray(0, Math.min(chunk.length, bytes - at));
      const got = files.read(file, part, at);
      if (got === 0) return false;
      sum = crc32(part.subarray(0, got), sum);
      at += got;
    }
    if (files.read(file, chunk, bytes) > 0) {
      files.truncate(file, bytes);
      files.sync(file);
    }
    return sum === checksum;
  } finally {
    files.close(file);
  }
}
