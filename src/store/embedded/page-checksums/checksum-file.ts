/**
 * The file of page checksums beside a database, `NAME.db-crc`. Five fields of 32 bytes, each with a CRC-32 of itself, then twelve bytes
 * per page: the page's checksum, and a CRC-32 of that. Numbers are little-endian. All are written in place, by the connection that holds
 * SQLite's write lock on the database; twelve zeros mean that a page's checksum is not known.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { LogChecksum } from './log-checksum.ts';
import type { LogPosition } from './log-file.ts';

const fieldBytes = 32;
const headerBytes = 5 * fieldBytes;
const entryBytes = 12;

/** Reading and writing this many entries costs less than another write. */
const gapMax = 64;
const magic = Buffer.from('NGPAGES\n');
const version = 1;

export const checksumPath = (database: string) => `${database}-crc`;

/** The file as a whole. */
export interface Format {
  readonly pageBytes: number;
  /** Every commit is synced: transactions cannot get lost behind an unreadable part of the log. */
  readonly syncsCommits: boolean;
}

/** What the latest connection wrote when it was opened. */
export interface Session {
  readonly token: bigint;
}

/** The last time that the last connection was closed, and nothing was in the log. It is still so if it has the token of the session. */
export interface Closing {
  readonly token: bigint;
}

/** How far the checksums follow the log. */
export interface Coverage extends LogPosition {
  /** The size of the database with all that is covered; 0 if not known. */
  readonly pages: number;
  /** False: there was no log when the session began. */
  readonly hasLog: boolean;
  /** All of these frames are in the database, too. */
  readonly isCopied: boolean;
  /** False if another program may have copied frames into the database that were never covered. */
  readonly isCertain: boolean;
}

export interface Header {
  readonly format: Format;
  /** Undefined where a field fails its checksum. */
  readonly session: Session | undefined;
  readonly closing: Closing | undefined;
  readonly coverage: Coverage | undefined;
  /** Whether anything was written to the log since it was last seen empty. */
  readonly hasWritten: boolean | undefined;
  /** Where the fields are that fail. */
  readonly damagedAt: readonly number[];
}

export type Entry = LogChecksum | 'unknown' | 'damaged';

export class ChecksumFile {
  readonly #descriptor: number;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** Undefined if there is none. */
  static open(database: string, mode: 'r' | 'r+'): ChecksumFile | undefined {
    try {
      return new ChecksumFile(openSync(checksumPath(database), mode));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** An empty one, in place of any that is there. */
  static create(database: string, format: Format): ChecksumFile {
    const file = new ChecksumFile(openSync(checksumPath(database), 'w+', 0o600));
    file.writeFormat(format);
    file.writeSession({ token: newToken() });
    file.writeClosing({ token: 0n });
    file.writeCoverage(nothingCovered);
    file.writeHasWritten(false);
    return file;
  }

  /** Undefined if this is no such file, or its first field is damaged. */
  readHeader(): Header | undefined {
    const bytes = Buffer.alloc(headerBytes);
    if (readSync(this.#descriptor, bytes, 0, headerBytes, 0) < headerBytes) return undefined;
    const fields = [0, 1, 2, 3, 4].map((index) => {
      const field = bytes.subarray(index * fieldBytes, (index + 1) * fieldBytes);
      return field.readUInt32LE(fieldBytes - 4) === fieldChecksum(field, index) ? field : undefined;
    });
    const [first, second, third, fourth, fifth] = fields;
    if (!first || magic.compare(first, 0, magic.length) !== 0 || first.readUInt32LE(8) !== version)
      return undefined;
    return {
      format: { pageBytes: first.readUInt32LE(12), syncsCommits: first.readUInt32LE(16) === 1 },
      session: second && { token: second.readBigUInt64LE(0) },
      closing: third && { token: third.readBigUInt64LE(0) },
      coverage: fourth && readCoverage(fourth),
      hasWritten: fifth && fifth[0] === 1,
      damagedAt: fields.flatMap((field, index) => (field ? [] : index * fieldBytes)),
    };
  }

  writeFormat({ pageBytes, syncsCommits }: Format): void {
    const bytes = Buffer.alloc(fieldBytes);
    magic.copy(bytes);
    bytes.writeUInt32LE(version, 8);
    bytes.writeUInt32LE(pageBytes, 12);
    bytes.writeUInt32LE(syncsCommits ? 1 : 0, 16);
    this.#writeField(0, bytes);
  }

  writeSession({ token }: Session): void {
    const bytes = Buffer.alloc(fieldBytes);
    bytes.writeBigUInt64LE(token, 0);
    this.#writeField(1, bytes);
  }

  writeClosing({ token }: Closing): void {
    const bytes = Buffer.alloc(fieldBytes);
    bytes.writeBigUInt64LE(token, 0);
    this.#writeField(2, bytes);
  }

  writeHasWritten(hasWritten: boolean): void {
    const bytes = Buffer.alloc(fieldBytes);
    bytes[0] = hasWritten ? 1 : 0;
    this.#writeField(4, bytes);
  }

  writeCoverage(coverage: Coverage): void {
    const { salt1, salt2, sequence, frames, pages, hasLog, isCopied, isCertain } = coverage;
    const bytes = Buffer.alloc(fieldBytes);
    for (const [index, number] of [salt1, salt2, sequence, frames, pages].entries())
      bytes.writeUInt32LE(number, index * 4);
    bytes.writeUInt32LE((hasLog ? 1 : 0) | (isCopied ? 2 : 0) | (isCertain ? 4 : 0), 20);
    this.#writeField(3, bytes);
  }

  /** As many as there are, from this page on. */
  readEntries(firstPage: number, count: number): Entry[] {
    const bytes = Buffer.alloc(count * entryBytes);
    const read = readSync(this.#descriptor, bytes, 0, bytes.length, entryOffset(firstPage));
    bytes.fill(0, read);
    return Array.from({ length: count }, (_, index) => {
      const entry = bytes.subarray(index * entryBytes, (index + 1) * entryBytes);
      if (entry.readUInt32LE(8) === entryChecksum(entry.subarray(0, 8), firstPage + index))
        return { first: entry.readUInt32LE(0), second: entry.readUInt32LE(4) };
      return entry.every((byte) => byte === 0) ? 'unknown' : 'damaged';
    });
  }

  writeEntries(checksums: ReadonlyMap<number, LogChecksum>): void {
    const pages = Uint32Array.from(checksums.keys()).sort();
    for (let begin = 0, end = 0; begin < pages.length; begin = end) {
      // Entries that are close to one another in one write, with those in between as they are.
      for (end = begin + 1; end < pages.length; end += 1)
        if ((pages[end] as number) - (pages[end - 1] as number) > gapMax) break;
      const [first, last] = [pages[begin] as number, pages[end - 1] as number];
      const bytes = Buffer.alloc((last - first + 1) * entryBytes);
      if (end - begin < last - first + 1)
        readSync(this.#descriptor, bytes, 0, bytes.length, entryOffset(first));
      for (const page of pages.subarray(begin, end)) {
        const at = (page - first) * entryBytes;
        const checksum = checksums.get(page) as LogChecksum;
        bytes.writeUInt32LE(checksum.first, at);
        bytes.writeUInt32LE(checksum.second, at + 4);
        bytes.writeUInt32LE(entryChecksum(bytes.subarray(at, at + 8), page), at + 8);
      }
      writeWhole(this.#descriptor, bytes, entryOffset(first));
    }
  }

  /** Removes the entries of pages that the database no longer has. */
  shortenTo(pages: number): void {
    const bytes = entryOffset(pages + 1);
    if (fstatSync(this.#descriptor).size > bytes) ftruncateSync(this.#descriptor, bytes);
  }

  sync(): void {
    fsyncSync(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #writeField(index: number, bytes: Buffer): void {
    bytes.writeUInt32LE(fieldChecksum(bytes, index), fieldBytes - 4);
    writeWhole(this.#descriptor, bytes, index * fieldBytes);
  }
}

export const nothingCovered: Coverage = {
  salt1: 0,
  salt2: 0,
  sequence: 0,
  frames: 0,
  pages: 0,
  hasLog: false,
  isCopied: false,
  isCertain: true,
};

export function newToken(): bigint {
  return randomBytes(8).readBigUInt64LE() | 1n;
}

export function entryOffset(page: number): number {
  return headerBytes + (page - 1) * entryBytes;
}

function readCoverage(field: Buffer): Coverage {
  const [salt1, salt2, sequence, frames, pages, flags] = [0, 4, 8, 12, 16, 20].map((at) =>
    field.readUInt32LE(at),
  ) as [number, number, number, number, number, number];
  return {
    salt1,
    salt2,
    sequence,
    frames,
    pages,
    hasLog: (flags & 1) !== 0,
    isCopied: (flags & 2) !== 0,
    isCertain: (flags & 4) !== 0,
  };
}

function fieldChecksum(field: Buffer, index: number): number {
  return crc32(field.subarray(0, fieldBytes - 4), index + 1);
}

function entryChecksum(checksum: Buffer, page: number): number {
  return crc32(checksum, page);
}

function writeWhole(descriptor: number, bytes: Buffer, offset: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(descriptor, bytes, done, bytes.length - done, offset + done);
}
