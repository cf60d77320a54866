/**
 * Gives pages a checksum of their present content: those of a database that has none yet, those that another program has written, and on
 * request all of them. For a process that does not have the database open.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Damage } from '../../damage.ts';
import type { Database } from '../database.ts';
import { ChecksumFile, nothingCovered } from './checksum-file.ts';
import { coverLog } from './cover-log.ts';
import { alignedBuffer, type LogChecksum, pageChecksum } from './log-checksum.ts';
import { readLog } from './log-file.ts';

const pagesAtOnce = 256;

export interface Settlement {
  /** A connection whose checkpoints are ours. */
  readonly open: (database: string) => Database;
  readonly check: 'quick_check' | 'integrity_check';
  /** Undefined for all of them: then whatever SQLite reads in the database and its log is right. */
  readonly pages?: readonly number[] | undefined;
}

/** Nothing is changed if SQLite finds damage. */
export function settleChecksums(path: string, { open, check, pages }: Settlement): readonly Damage[] {
  // Opened before SQLite opens it, and closed after SQLite has closed it: so no lock is cancelled.
  const descriptor = openSync(path, 'r');
  try {
    const database = open(path);
    try {
      const found = database.prepare(`pragma ${check}(1)`).pluck().all() as string[];
      const problems = found.filter((line) => line !== 'ok');
      if (problems.length > 0) return problems.map((problem) => ({ file: path, problem }));
      if (!pages) database.pragma('wal_checkpoint(truncate)');
      database.transaction(() => learn(path, descriptor, pages)).immediate();
      return [];
    } finally {
      database.close();
    }
  } finally {
    closeSync(descriptor);
  }
}

function learn(path: string, descriptor: number, pages: readonly number[] | undefined): void {
  // Pages that are in the log get theirs from there.
  const coverage = coverLog(path) ?? nothingCovered;
  const log = readLog(path);
  const pending = log?.checksums;
  const file = ChecksumFile.open(path, 'r+');
  const header = file?.readHeader();
  if (!file || !header) return;
  try {
    const { pageBytes } = header.format;
    const content = alignedBuffer(pageBytes);
    let checksums = new Map<number, LogChecksum>();
    for (const page of pages ?? countUp()) {
      if (readSync(descriptor, content, 0, pageBytes, (page - 1) * pageBytes) < pageBytes) break;
      if (!pending?.has(page)) checksums.set(page, pageChecksum(content));
      if (checksums.size < pagesAtOnce) continue;
      file.writeEntries(checksums);
      checksums = new Map();
    }
    file.writeEntries(checksums);
    file.sync();
    // Another program may have shortened the file.
    const present = Math.floor(fstatSync(descriptor).size / pageBytes);
    file.writeCoverage({ ...coverage, pages: log?.pages || present, isCertain: true });
  } finally {
    file.close();
  }
}

function* countUp(): Generator<number> {
  for (let page = 1; ; page += 1) yield page;
}
