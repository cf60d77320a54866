/**
 * The file `appends.journal`: lines of small appends that are in their segment files as well, but not synced there. Each append is one
 * record, so that it waits for one write and nothing else.
 *
 *   0      header: magic, CRC-32 of the rest, token, bytes of the records that were published. Not synced: after a power failure it may be any
 *   4096   records, each synced before the header counts it: CRC-32, length of the lines, minute of the segment, length of the stream's
 *          name, byte of the stream at which the segment begins, position of the lines in the segment, name, lines
 *
 * The checksum of a record begins with that of the record before it, and the first with the token. So a record of an earlier use of the file, or
 * one that was overwritten in part, never follows what is valid. The file is never longer: a sync need not write its size.
 */
import { closeSync, constants, fstatSync, openSync, write } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { StreamName } from '../../../stream-store.ts';
import type { FileOperations } from '../file-operations.ts';

const headerBytes = 4096;
/** For records. As much is written and synced to segment files at once. */
export const journalBytes = 262_144;

const magic = 0x6e_67_6a_31;
const usedHeaderBytes = 24;
const fixedBytes = 32;

export interface SegmentId {
  readonly stream: StreamName;
  readonly minute: number;
  /** A pruned stream may begin a segment of the same minute again, but not at the same byte. */
  readonly startByte: number;
}

export interface JournalRecord extends SegmentId {
  /** In the segment. */
  readonly position: number;
  /** Whole lines. */
  readonly bytes: Uint8Array;
}

export interface StoredRecord extends JournalRecord {
  /** Among the records. */
  readonly from: number;
  readonly to: number;
  readonly checksum: number;
}

/** Which use of the file this is, and how many bytes of records its readers may see. */
export interface JournalHeader {
  readonly token: number;
  readonly bytes: number;
}

export class JournalFile {
  readonly #path: string;
  readonly #files: FileOperations;
  readonly #header = Buffer.alloc(usedHeaderBytes);
  #file: number | undefined;
  /** Another descriptor of it, whose writes are durable when they are done. */
  #syncedFile: number | undefined;

  constructor(root: string, files: FileOperations) {
    this.#path = join(root, 'appends.journal');
    this.#files = files;
  }

  get path(): string {
    return this.#path;
  }

  /** Makes the file where it is missing, or was not finished. To be called under the lock of the database. */
  create(root: string): void {
    const file = this.#files.open(this.#path);
    try {
      const missing = headerBytes + journalBytes - fstatSync(file).size;
      if (missing <= 0) return;
      this.#files.write(file, Buffer.alloc(missing), headerBytes + journalBytes - missing);
      this.#files.sync(file);
      this.#files.syncDirectory(root);
    } finally {
      this.#files.close(file);
    }
  }

  /** Undefined without a header that makes sense. One system call. */
  readHeader(): JournalHeader | undefined {
    const file = this.#open();
    if (file === undefined) return undefined;
    const header = this.#header;
    if (this.#files.read(file, header, 0) < header.length || header.readUInt32LE(0) !== magic)
      return undefined;
    if (header.readUInt32LE(4) !== crc32(header.subarray(8))) return undefined;
    return { token: header.readDoubleLE(8), bytes: header.readDoubleLE(16) };
  }

  writeHeader({ token, bytes }: JournalHeader): void {
    const header = this.#header;
    header.writeUInt32LE(magic, 0);
    header.writeDoubleLE(token, 8);
    header.writeDoubleLE(bytes, 16);
    header.writeUInt32LE(crc32(header.subarray(8)), 4);
    const file = this.#open();
    if (file === undefined) throw new Error(`${this.#path} is missing`);
    this.#files.write(file, header, 0);
  }

  /** Records between two offsets; fewer where one is not valid. */
  read(from: number, to: number, checksum: number): StoredRecord[] {
    const file = this.#open();
    if (file === undefined || to <= from) return [];
    const bytes = Buffer.alloc(to - from);
    const length = this.#files.read(file, bytes, headerBytes + from);
    const records: StoredRecord[] = [];
    for (let [at, before] = [0, checksum]; ; ) {
      const record = decodeRecord(bytes.subarray(0, length), at, from, before);
      if (!record) return records;
      records.push(record);
      [at, before] = [record.to - from, record.checksum];
    }
  }

  /** The file up to the last record that was published; undefined if there is none. To be called under the lock of the database. */
  readPublished(): Buffer | undefined {
    const header = this.readHeader();
    if (!header || header.bytes === 0) return undefined;
    const bytes = Buffer.alloc(headerBytes + header.bytes);
    const file = this.#open();
    return file === undefined ? undefined : bytes.subarray(0, this.#files.read(file, bytes, 0));
  }

  /** Resolves when they are durable. */
  append(records: Uint8Array, at: number): Promise<void> {
    this.#syncedFile ??= openSync(this.#path, constants.O_WRONLY | constants.O_DSYNC);
    const file = this.#syncedFile;
    return new Promise((resolve, reject) => {
      write(file, records, 0, records.length, headerBytes + at, (error, written) => {
        if (error) reject(error);
        else if (written < records.length) reject(new Error(`${this.#path} could not be written`));
        else resolve();
      });
    });
  }

  close(): void {
    for (const file of [this.#file, this.#syncedFile]) if (file !== undefined) closeSync(file);
    this.#file = undefined;
    this.#syncedFile = undefined;
  }

  #open(): number | undefined {
    this.#file ??= this.#files.openExisting(this.#path);
    return this.#file;
  }
}

/** What the checksum of the first record begins with. */
export function firstChecksum(token: number): number {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(token);
  return crc32(bytes);
}

export function recordBytes({ stream, bytes }: Pick<JournalRecord, 'stream' | 'bytes'>): number {
  return fixedBytes + stream.length + bytes.length;
}

/** As they follow a record that ends at `from` and has this checksum. */
export function encodeRecords(
  records: readonly JournalRecord[],
  from: number,
  checksum: number,
): { readonly encoded: Buffer; readonly stored: StoredRecord[] } {
  const encoded = Buffer.allocUnsafe(records.reduce((sum, record) => sum + recordBytes(record), 0));
  const stored: StoredRecord[] = [];
  for (let [index, at, before] = [0, 0, checksum]; index < records.length; index += 1) {
    const record = records[index] as JournalRecord;
    const end = at + recordBytes(record);
    before = encodeRecord(record, encoded.subarray(at, end), before);
    const bytes = encoded.subarray(end - record.bytes.length, end);
    stored.push({ ...record, bytes, from: from + at, to: from + end, checksum: before });
    at = end;
  }
  return { encoded, stored };
}

/** Gives its checksum. */
function encodeRecord(record: JournalRecord, into: Buffer, before: number): number {
  const { stream, minute, startByte, position, bytes } = record;
  into.writeUInt32LE(bytes.length, 4);
  into.writeUInt32LE(minute, 8);
  into.writeUInt32LE(stream.length, 12);
  into.writeDoubleLE(startByte, 16);
  into.writeDoubleLE(position, 24);
  into.write(stream, fixedBytes, 'latin1');
  into.set(bytes, fixedBytes + stream.length);
  const checksum = crc32(into.subarray(4), before);
  into.writeUInt32LE(checksum, 0);
  return checksum;
}

/** Undefined where there is no valid record at `at`; `from` is where the stored bytes are in the journal. */
function decodeRecord(stored: Buffer, at: number, from: number, before: number): StoredRecord | undefined {
  if (at + fixedBytes > stored.length) return undefined;
  const length = stored.readUInt32LE(at + 4);
  const name = at + fixedBytes;
  const lines = name + stored.readUInt32LE(at + 12);
  const end = lines + length;
  if (length === 0 || end > stored.length) return undefined;
  const checksum = stored.readUInt32LE(at);
  if (crc32(stored.subarray(at + 4, end), before) !== checksum) return undefined;
  return {
    stream: stored.toString('latin1', name, lines),
    minute: stored.readUInt32LE(at + 8),
    startByte: stored.readDoubleLE(at + 16),
    position: stored.readDoubleLE(at + 24),
    bytes: stored.subarray(lines, end),
    from: from + at,
    to: from + end,
    checksum,
  };
}
