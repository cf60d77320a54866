/**
 * Compares the pages of a database with their checksums, without SQLite and without a lock. The caller's process must not have the database
 * open: closing the file here would cancel SQLite's locks. Other processes may, and may write: what differs is compared again.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { setTimeout as pause, setImmediate as yieldToLoop } from 'node:timers/promises';
import type { Damage } from '../../damage.ts';
import {
  ChecksumFile,
  type Coverage,
  checksumPath,
  type Entry,
  entryOffset,
  type Header,
} from './checksum-file.ts';
import { isSuccessor } from './cover-log.ts';
import { findFlippedBit } from './flipped-bit.ts';
import { alignedBuffer, type LogChecksum, pageChecksum, sameChecksum, wordsOf } from './log-checksum.ts';
import { type LogContents, readLog, sameLog } from './log-file.ts';
import { findLostTransactions } from './lost-transactions.ts';

const chunkBytes = 1 << 20;
const comparisons = 4;
const pauseMs = 100;

export interface PageCheck {
  /** Of the database or its log: it must not be served. */
  readonly damages: readonly Damage[];
  /** Of the checksums themselves, or of a log whose end was lost: nothing that is still there is wrong. */
  readonly notices: readonly Damage[];
  /** Pages that differ from their checksum, where another program may have written them rightfully. */
  readonly doubtful: readonly number[];
  /** Pages whose checksum is not known, or is damaged. */
  readonly unknown: readonly number[];
  /** Whether there are any checksums. */
  readonly hasChecksums: boolean;
}

export interface PageCheckOptions {
  onBytes?(bytes: number): void;
}

export async function checkPages(database: string, options: PageCheckOptions = {}): Promise<PageCheck> {
  const descriptor = openSync(database, 'r');
  const checksums = ChecksumFile.open(database, 'r');
  try {
    let state = readState(database, descriptor, checksums);
    // Another process may be making them just now.
    for (let time = 1; state.notices.length > 0 && time < comparisons; time += 1) {
      await pause(pauseMs);
      state = readState(database, descriptor, checksums);
    }
    let differences: Difference[] = [];
    const unknown: number[] = [];
    const notices = [...state.notices];
    for (const chunk of chunksOf(state)) {
      const compared = compare(state, chunk.first, chunk.count);
      differences.push(...compared.differences);
      unknown.push(...compared.unknown);
      notices.push(...compared.notices);
      options.onBytes?.(chunk.count * state.pageBytes);
      await yieldToLoop();
    }
    // A process that has the database open may have copied a page just now.
    for (let time = 1; differences.length > 0 && !state.isClosed && time < comparisons; time += 1) {
      await pause(pauseMs);
      state = readState(database, descriptor, checksums);
      differences = differences.flatMap(({ page }) => compare(state, page, 1).differences);
    }
    if (state.header?.format.syncsCommits && findLostTransactions(database).length > 0) {
      await pause(pauseMs);
      notices.push(...findLostTransactions(database));
    }
    const pages = differences.map(({ offset, problem }) => ({ file: database, offset, problem }));
    return {
      damages: [
        ...(state.log?.damages ?? []),
        ...(state.isCertain ? pages : []),
        ...missingPages(database, state),
      ],
      notices,
      doubtful: state.isCertain ? [] : differences.map(({ page }) => page),
      unknown,
      hasChecksums: state.header !== undefined,
    };
  } finally {
    checksums?.close();
    closeSync(descriptor);
  }
}

interface State {
  readonly database: string;
  readonly descriptor: number;
  readonly checksums: ChecksumFile | undefined;
  readonly header: Header | undefined;
  readonly log: LogContents | undefined;
  readonly notices: readonly Damage[];
  readonly pageBytes: number;
  /** Pages in the file. */
  readonly present: number;
  /** Pages that the file should have. */
  readonly expected: number;
  readonly isClosed: boolean;
  readonly isCertain: boolean;
}

function readState(database: string, descriptor: number, checksums: ChecksumFile | undefined): State {
  // In this order: a page that is copied in between is in the log, or has changed with its checksum.
  const log = readLog(database);
  const header = checksums?.readHeader();
  const pageBytes = header?.format.pageBytes ?? log?.pageBytes ?? pageBytesOf(descriptor);
  const present = Math.floor(fstatSync(descriptor).size / pageBytes);
  const isClosed = header?.session !== undefined && header.session.token === header.closing?.token;
  const certain = isCertain(header, log, isClosed);
  // What another program may have written, it may also have lengthened or shortened.
  const covered = certain ? header?.coverage?.pages : undefined;
  return {
    database,
    descriptor,
    checksums,
    header,
    log,
    pageBytes,
    present,
    isClosed,
    expected: log?.pages || covered || present,
    isCertain: certain,
    notices: headerNotices(database, checksums, header),
  };
}

/** Whether nothing but our checkpoints has written to the database, so that every difference is damage. */
function isCertain(header: Header | undefined, log: LogContents | undefined, isClosed: boolean): boolean {
  if (!header?.coverage?.isCertain) return false;
  if (isClosed) return true;
  return log ? isSuccessor(log.id, header.coverage) : header.hasWritten === false;
}

function headerNotices(
  database: string,
  checksums: ChecksumFile | undefined,
  header: Header | undefined,
): Damage[] {
  const file = checksumPath(database);
  if (!checksums) return [];
  if (!header) return [{ file, problem: 'it cannot be read; the next start makes it anew' }];
  return header.damagedAt.map((offset) => ({ file, offset, problem: selfDamage }));
}

const selfDamage = 'it fails its own checksum; the next start makes this part anew';

interface Difference {
  readonly page: number;
  readonly problem: string;
  readonly offset: number;
}

interface Comparison {
  readonly differences: Difference[];
  readonly unknown: number[];
  readonly notices: Damage[];
}

function* chunksOf({ pageBytes, present, expected }: State): Generator<{ first: number; count: number }> {
  const [perChunk, last] = [Math.max(1, Math.floor(chunkBytes / pageBytes)), Math.min(present, expected)];
  for (let first = 1; first <= last; first += perChunk)
    yield { first, count: Math.min(perChunk, last - first + 1) };
}

function compare(state: State, first: number, count: number): Comparison {
  const { database, descriptor, header, checksums, log, pageBytes } = state;
  const compared: Comparison = { differences: [], unknown: [], notices: [] };
  const bytes = alignedBuffer(count * pageBytes);
  readSync(descriptor, bytes, 0, bytes.length, (first - 1) * pageBytes);
  const entries: readonly Entry[] = (header && checksums?.readEntries(first, count)) || [];
  const pending = isAllCopied(header?.coverage, log) ? undefined : log?.checksums;
  for (let page = first; page < first + count; page += 1) {
    const entry = entries[page - first] ?? 'unknown';
    if (entry === 'damaged')
      compared.notices.push({ file: checksumPath(database), offset: entryOffset(page), problem: selfDamage });
    if (pending?.has(page)) continue;
    if (typeof entry === 'string') {
      compared.unknown.push(page);
      continue;
    }
    const content = bytes.subarray((page - first) * pageBytes, (page - first + 1) * pageBytes);
    if (!sameChecksum(pageChecksum(content), entry))
      compared.differences.push(describe(page, content, entry));
  }
  return compared;
}

/** Then pages in the log are compared as well: SQLite reads them from the database. */
function isAllCopied(coverage: Coverage | undefined, log: LogContents | undefined): boolean {
  return (
    coverage !== undefined &&
    log !== undefined &&
    coverage.isCopied &&
    sameLog(coverage, log.id) &&
    coverage.frames === log.frames
  );
}

function describe(page: number, content: Buffer, expected: LogChecksum): Difference {
  const begin = (page - 1) * content.length;
  const flip = findFlippedBit(wordsOf(content), pageChecksum(content), expected);
  if (!flip) return { page, offset: begin, problem: `page ${page} is not what Nameglass has written` };
  if (!flip.isOnly) return { page, offset: begin, problem: `a bit of page ${page} is flipped` };
  return {
    page,
    offset: begin + flip.byte,
    problem: `bit ${flip.bit} of this byte is flipped (page ${page})`,
  };
}

/** The file is shorter than it was, and the log does not make up for it. */
function missingPages(file: string, state: State): Damage[] {
  const { present, expected, log, header, pageBytes, isCertain: certain } = state;
  if (!certain || !header || present >= expected || log?.pages) return [];
  const problem = `the file ends here, and had ${expected} pages`;
  return [{ file, offset: present * pageBytes, problem }];
}

/** From SQLite's own header, where 1 stands for 65536. */
function pageBytesOf(descriptor: number): number {
  const bytes = Buffer.alloc(2);
  readSync(descriptor, bytes, 0, 2, 16);
  const pageBytes = bytes.readUInt16BE();
  return pageBytes === 1 ? 65_536 : Math.max(512, pageBytes);
}
