/**
 * Files that are listed in the copies of databases. Leases keep them from being removed until they are copied; what a list says of a
 * file never changes, except that lines are appended to the last segment of a stream, and those do not count.
 */
import { join } from 'node:path';
import { listNames } from '../archive/optional-files.ts';
import { type Database, openReadOnly } from '../database.ts';
import { segmentPath } from '../stream/segment-files.ts';

export interface ListedFile {
  /** Within the data directory. */
  readonly path: string;
  /** What is there beyond is not part of it; undefined for all. */
  readonly bytes?: number;
  readonly checksum?: number;
  readonly sha256?: string;
  readonly subject: 'a segment' | 'an image';
}

export const checksumEnding = '.sha256';

/** Read from the database at once. */
const rowsAtOnce = 1000;

export function* listSegments(copy: string): Generator<ListedFile> {
  const database = openReadOnly(copy);
  try {
    const page = database.prepare(
      'select stream, minute, bytes, checksum from segment where (stream, minute) > (?, ?) order by stream, minute limit ?',
    );
    let [stream, minute] = ['', 0];
    for (;;) {
      const rows = page.all(stream, minute, rowsAtOnce) as SegmentRow[];
      for (const row of rows) {
        [stream, minute] = [row.stream, row.minute];
        const path = segmentPath('streams', stream, minute);
        yield { path, bytes: row.bytes, checksum: row.checksum, subject: 'a segment' };
      }
      if (rows.length < rowsAtOnce) return;
    }
  } finally {
    database.close();
  }
}

interface SegmentRow {
  readonly stream: string;
  readonly minute: number;
  readonly bytes: number;
  readonly checksum: number;
}

export function* listImages(copy: string): Generator<ListedFile> {
  const database: Database = openReadOnly(copy);
  try {
    const page = database.prepare('select hash from image where hash > ? order by hash limit ?').pluck();
    let last = '';
    for (;;) {
      const hashes = page.all(last, rowsAtOnce) as string[];
      for (const sha256 of hashes) {
        last = sha256;
        const path = join('images', sha256.slice(0, 2), `${sha256.slice(2)}.png`);
        yield { path, sha256, subject: 'an image' };
      }
      if (hashes.length < rowsAtOnce) return;
    }
  } finally {
    database.close();
  }
}

/** Paths within the data directory. A checksum file is written last: an archive without one does not exist yet. */
export async function* listArchives(data: string): AsyncGenerator<string> {
  const root = join(data, 'archives');
  for (const archive of (await listNames(root)).filter((name) => !name.startsWith('.'))) {
    for (const day of await listNames(join(root, archive))) {
      const names = await listNames(join(root, archive, day));
      for (const name of names.filter((found) => found.endsWith(checksumEnding)).sort())
        yield join('archives', archive, day, name.slice(0, -checksumEnding.length));
    }
  }
}
