/**
 * Files that are opened at the instant of the backup: an open file stays readable when it is removed or replaced. Those are the segments of
 * passive DNS, which compaction removes, and whatever else is in the data directory that no database lists, such as lists of names.
 */
import { fstatSync, openSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Damage } from '../../damage.ts';
import { checksumOf, tableNames, tablePath } from '../../rrset/segment/segment-files.ts';
import { listedSegmentOf, type SegmentRow } from '../rrset/segment-rows.ts';
import { realFiles } from '../stream/file-operations.ts';
import { JournalFile } from '../stream/journal/journal-file.ts';
import type { Snapshot } from './barrier.ts';

export interface OpenedFile {
  /** Within the data directory. */
  readonly path: string;
  readonly file: number;
  readonly bytes: number;
  /** The CRC-32 that the file had when it was written, where that is known. */
  readonly checksum?: number | undefined;
}

export interface FilesAtInstant {
  readonly files: readonly OpenedFile[];
  readonly missing: readonly Damage[];
  /** Of the streams: lines that are not in their index yet. Undefined if there are none. */
  readonly journal: { readonly path: string; readonly bytes: Buffer } | undefined;
}

/** Their files are listed in a database or have rules of their own; or they are worth nothing in another directory. */
const ownRules = new Set(['rrsets', 'streams', 'images', 'archives', 'health', 'known-lists']);

/** The secret goes apart, databases through SQLite, and what is half written not at all. */
const notCopied =
  /^secret\.key|^(?:running(?:-\d+)?|last-backup)\.json|\.db(?:$|-wal$|-shm$|-crc$|-journal$|\.)|\.(?:new|tmp|part|download)$/;

export function openFilesAtInstant(data: string, snapshots: readonly Snapshot[]): FilesAtInstant {
  const files: OpenedFile[] = [];
  const missing: Damage[] = [];
  const manifest = snapshots.find(({ path }) => path === join(data, 'rrsets', 'manifest.db'));
  for (const { path, checksum } of manifest ? listTables(manifest) : []) {
    const opened = openIfThere(data, path);
    if (opened) files.push({ ...opened, checksum });
    else missing.push({ file: join(data, path), problem: 'a file of passive DNS is missing' });
  }
  for (const path of listOthers(data)) {
    const opened = openIfThere(data, path);
    if (opened) files.push(opened);
  }
  return { files, missing, journal: readJournal(data) };
}

function readJournal(data: string): FilesAtInstant['journal'] {
  const root = join(data, 'streams');
  const file = new JournalFile(root, realFiles);
  try {
    const bytes = file.readPublished();
    return bytes && { path: relative(data, file.path), bytes };
  } finally {
    file.close();
  }
}

function listTables({ reader }: Snapshot): readonly { readonly path: string; readonly checksum: number }[] {
  const rows = reader.prepare('select * from run order by name').all() as SegmentRow[];
  return rows.map(listedSegmentOf).flatMap((segment) =>
    tableNames
      .filter((table) => table !== 'trigram' || segment.hasTrigrams)
      .map((table) => ({
        path: tablePath('rrsets', segment.name, table),
        checksum: checksumOf(segment, table),
      })),
  );
}

function listOthers(data: string): readonly string[] {
  const found: string[] = [];
  const add = (folder: string) => {
    for (const entry of readdirSync(join(data, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isFile() && !notCopied.test(entry.name)) found.push(path);
      else if (
        entry.isDirectory() &&
        !ownRules.has(path) &&
        !/^backup-scratch|^\.restoring-/.test(entry.name)
      )
        add(path);
    }
  };
  add('');
  return found;
}

function openIfThere(data: string, path: string): OpenedFile | undefined {
  try {
    const file = openSync(join(data, path), 'r');
    return { path, file, bytes: fstatSync(file).size };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
