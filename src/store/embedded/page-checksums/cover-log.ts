/**
 * Keeps the checksums of a database's pages in step with its log. A page gets its new checksum from the log *before* it is copied into
 * the database, and while it is in the log nobody compares it: so a process may be killed, and the power may fail, at any point in
 * between. Unless they say otherwise, these functions need SQLite's write lock on the database, so that nothing is committed meanwhile.
 */
import { closeSync, existsSync, fsyncSync, rmSync, statSync } from 'node:fs';
import {
  ChecksumFile,
  type Coverage,
  checksumPath,
  type Format,
  newToken,
  nothingCovered,
} from './checksum-file.ts';
import { type LogId, logHeaderBytes, logPath, openLog, readLog, sameLog } from './log-file.ts';
import { readLogHeaders } from './log-headers.ts';

/** Undefined: as it was. */
export type SessionFormat = Omit<Format, 'syncsCommits'> & { readonly syncsCommits: boolean | undefined };

const unknownCoverage: Coverage = { ...nothingCovered, isCertain: false };

/** A connection was opened. From now on the database counts as in use, until `endSession`. */
export function beginSession(database: string, format: SessionFormat): void {
  try {
    recordSession(database, format);
  } catch (error) {
    // Checksums of a database that seems closed, and is not, would be worse than none.
    rmSync(checksumPath(database), { force: true });
    if (!isDiskFull(error)) throw error;
  }
}

function recordSession(database: string, { pageBytes, syncsCommits }: SessionFormat): void {
  const existing = ChecksumFile.open(database, 'r+');
  const header = existing?.readHeader();
  if (!existing || header?.format.pageBytes !== pageBytes) {
    existing?.close();
    ChecksumFile.create(database, { pageBytes, syncsCommits: syncsCommits ?? false }).close();
    return;
  }
  try {
    if (syncsCommits !== undefined && syncsCommits !== header.format.syncsCommits)
      existing.writeFormat({ pageBytes, syncsCommits });
    const { session, closing, hasWritten, coverage = unknownCoverage } = header;
    const wasClosed = session !== undefined && session.token === closing?.token;
    if (isLogEmpty(database)) {
      // What was written is in the database, although we did not copy it: another program did.
      const isCertain = coverage.isCertain && (wasClosed || hasWritten === false);
      existing.writeCoverage({ ...nothingCovered, pages: isCertain ? coverage.pages : 0, isCertain });
      existing.writeHasWritten(false);
    } else if (!header.coverage) existing.writeCoverage(coverage);
    existing.writeSession({ token: newToken() });
    if (wasClosed) existing.sync();
  } finally {
    existing.close();
  }
}

/** The connection has written for the first time. Needs no lock. */
export function recordFirstWrite(database: string): void {
  const file = ChecksumFile.open(database, 'r+');
  try {
    file?.writeHasWritten(true);
  } finally {
    file?.close();
  }
}

/**
 * Records the checksums of all pages in the log, which has so many committed frames; the log itself says it if that is not known. Undefined
 * if the database has no checksums.
 */
export function coverLog(database: string, frames?: number): Coverage | undefined {
  const file = ChecksumFile.open(database, 'r+');
  if (!file) return undefined;
  try {
    const { coverage = unknownCoverage } = file.readHeader() ?? {};
    const since = coverage.hasLog ? coverage : undefined;
    const log = frames === undefined ? readLog(database, since) : readLogHeaders(database, frames, since);
    if (!log || log.checksums.size === 0) return coverage;
    // A log that is lost with the power must not leave checksums behind that were made of it.
    syncLog(database);
    file.writeEntries(log.checksums);
    file.shortenTo(log.pages);
    file.sync();
    const isCertain = coverage.isCertain && isSuccessor(log.id, coverage);
    const covered = {
      ...log.id,
      frames: log.frames,
      pages: log.pages,
      hasLog: true,
      isCopied: false,
      isCertain,
    };
    file.writeCoverage(covered);
    return covered;
  } finally {
    file.close();
  }
}

/** What is covered was copied into the database. If SQLite counts other frames than we did, not all of its pages have their checksum. */
export function recordCopy(database: string, covered: Coverage, frames: number): void {
  const file = ChecksumFile.open(database, 'r+');
  if (!file) return;
  try {
    file.writeCoverage(
      frames === covered.frames ? { ...covered, isCopied: true } : { ...covered, isCertain: false },
    );
  } finally {
    file.close();
  }
}

export function findToken(database: string): bigint | undefined {
  const file = ChecksumFile.open(database, 'r');
  try {
    return file?.readHeader()?.session?.token;
  } finally {
    file?.close();
  }
}

/**
 * Needs no lock. The connection is closed that had this token. If SQLite removed the log, it was the last one, and all pages are in the database with
 * their checksums, unless another connection was opened since: that has written a token of its own.
 */
export function endSession(database: string, token: bigint): void {
  if (existsSync(logPath(database))) return;
  const file = ChecksumFile.open(database, 'r+');
  try {
    file?.writeClosing({ token });
  } finally {
    file?.close();
  }
}

/** There is no room for the checksums of what is about to be copied. Possible on a full disk, too. */
export function giveUpCertainty(database: string): void {
  try {
    const file = ChecksumFile.open(database, 'r+');
    file?.writeCoverage({ ...(file.readHeader()?.coverage ?? unknownCoverage), isCertain: false });
    file?.close();
  } catch {
    rmSync(checksumPath(database), { force: true });
  }
}

/** Whether the log is the one that was covered, or begun after all of that was copied. */
export function isSuccessor(id: LogId, coverage: Coverage): boolean {
  if (!coverage.hasLog) return id.sequence === 0;
  if (sameLog(id, coverage)) return true;
  // Not by the sequence: each connection counts its own.
  return coverage.isCopied && id.salt1 === (coverage.salt1 + 1) >>> 0;
}

export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
}

export function isLogEmpty(database: string): boolean {
  return (statSync(logPath(database), { throwIfNoEntry: false })?.size ?? 0) <= logHeaderBytes;
}

function syncLog(database: string): void {
  const descriptor = openLog(database);
  if (descriptor === undefined) return;
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
