/**
 * Makes segment files agree with what is confirmed, after a writer was killed: what lies behind the confirmed bytes is cut,
 * files that were never confirmed go. The last segment of each stream is read against its checksum; one that fails was
 * damaged by the disk, and is set aside rather than served: the stream ends before it, and readers who were past that
 * stand there.
 */
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Database } from '../database.ts';
import type { FileOperations } from './file-operations.ts';
import { minuteOf, segmentPath, streamDirectory } from './segment-files.ts';

const pieceBytes = 1 << 20;

interface LastSegment {
  readonly stream: string;
  readonly minute: number;
  readonly start_byte: number;
  readonly start_line: number;
  readonly bytes: number;
  readonly checksum: number;
}

/** Within a transaction, so that nobody appends meanwhile. Says what is damaged. */
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
      // Older files without a row are those of readers, or left to the next pruning.
      if (minute !== undefined && minute > segment.minute) files.remove(join(directory, file));
    }
    if (cutAndCheck(root, segment, files)) continue;
    const path = segmentPath(root, segment.stream, segment.minute);
    files.rename(path, `${path}.damaged`);
    endBefore(segment, database);
    faults.push(`${path} is damaged: it was set aside as ${path}.damaged, and its lines are not served`);
  }
  return faults;
}

function endBefore({ stream, minute, start_byte, start_line }: LastSegment, database: Database): void {
  database.prepare('delete from segment where stream = ? and minute = ?').run(stream, minute);
  database
    .prepare('update stream set bytes = ?, lines = ? where name = ?')
    .run(start_byte, start_line, stream);
  database
    .prepare('update reader set place = ? where stream = ? and place > ?')
    .run(start_byte, stream, start_byte);
}

function cutAndCheck(
  root: string,
  { stream, minute, bytes, checksum }: LastSegment,
  files: FileOperations,
): boolean {
  const file = files.open(segmentPath(root, stream, minute));
  try {
    const piece = new Uint8Array(Math.min(pieceBytes, bytes + 1));
    let sum = 0;
    let at = 0;
    while (at < bytes) {
      const wanted = piece.subarray(0, Math.min(piece.length, bytes - at));
      const got = files.read(file, wanted, at);
      if (got === 0) return false;
      sum = crc32(wanted.subarray(0, got), sum);
      at += got;
    }
    if (files.read(file, piece, bytes) > 0) {
      files.truncate(file, bytes);
      files.sync(file);
    }
    return sum === checksum;
  } finally {
    files.close(file);
  }
}
