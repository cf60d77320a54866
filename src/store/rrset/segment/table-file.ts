/**
 * The file of a table, as far as its bytes can be trusted. A file that is missing or damaged can be opened too: every use of it
 * then fails with the same error, and tables beside it keep working. Version 1 has no checksums in its blocks, so before its
 * first use the whole file is compared with the checksum in the manifest.
 */
import { closeSync, fstatSync, openSync, read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { type Damage, DamagedData } from '../../damage.ts';
import { blockBytesMax } from './block.ts';
import {
  blockSeed,
  fileSeed,
  headerBytes,
  isBodyIntact,
  isHeaderIntact,
  oldHeaderBytes,
} from './block-checksum.ts';
import { readUint32 } from './byte-order.ts';
import { decodeFooter, footerBytes, type TableFooter } from './table-footer.ts';

/** Checking this many bytes takes about a millisecond. */
const verifiedAtOnceBytes = 1 << 20;
const readAsync = promisify(read);

/** As long as nothing is known: such a table is never skipped because of its times, and so fails or is verified. */
const unknownFooter: TableFooter = {
  root: { offset: 0, length: 0 },
  height: 0,
  entries: 0,
  end: 0,
  minFirst: 0,
  maxLast: 0xffff_ffff,
};

export class TableFile {
  readonly path: string;
  readonly #seed: number;
  readonly #descriptor: number | undefined;
  readonly #checksum: number | undefined;
  #footer = unknownFooter;
  #version: 1 | 2 = 2;
  /** The footer of a file of version 1 that has not been verified yet. */
  #unverified: TableFooter | undefined;
  #damage: Damage | undefined;
  #verifying: Promise<void> | undefined;
  readonly isMissing: boolean;
  readonly fileBytes: number;
  readonly footerBytes = new Uint8Array(footerBytes);

  /** `checksum` is that of the whole file in the manifest. Without it a file of version 1 is taken as it is. */
  constructor(path: string, checksum?: number) {
    this.path = path;
    this.#checksum = checksum;
    this.#seed = fileSeed(path);
    this.#descriptor = openOrUndefined(path);
    this.isMissing = this.#descriptor === undefined;
    this.fileBytes = this.#descriptor === undefined ? 0 : fstatSync(this.#descriptor).size;
    if (this.#descriptor === undefined) this.#damage = { file: path, problem: 'it is missing' };
    else this.#readFooter();
  }

  get footer(): TableFooter {
    return this.#footer;
  }

  get version(): 1 | 2 {
    return this.#version;
  }

  get headerBytes(): number {
    return this.#version === 1 ? oldHeaderBytes : headerBytes;
  }

  get damage(): Damage | undefined {
    return this.#damage;
  }

  get isVerified(): boolean {
    return this.#unverified === undefined;
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }

  /** Throws where the file as a whole is not to be used. */
  assertUsable(): void {
    if (this.#unverified) this.#verifySync();
    if (this.#damage) throw new DamagedData(this.#damage);
  }

  /** Verifies a file of version 1 without blocking the event loop; what it finds is thrown by the next use. */
  verify(): Promise<void> {
    this.#verifying ??= this.#verify();
    return this.#verifying;
  }

  /** Reads from an offset until the array is full or the blocks end. */
  readInto(bytes: Uint8Array, offset: number): number {
    this.assertUsable();
    const length = Math.min(bytes.length, this.#footer.end - offset);
    return this.#readBytes(bytes, length, offset);
  }

  /** A block with its header, intact. Without a length, it is read from the header first. */
  readBlock(offset: number, expected?: number): Uint8Array {
    this.assertUsable();
    const length = expected ?? this.#lengthAt(offset);
    this.#assertBounds(offset, length);
    const block = new Uint8Array(length);
    this.#readBytes(block, length, offset);
    if (this.assertHeader(block, 0, offset) !== length) throw this.failure('its length is another', offset);
    this.assertBody(block, 0, offset, length);
    return block;
  }

  /** Where the block at this offset ends, if its header is intact. */
  findBlockEnd(offset: number): number | undefined {
    try {
      return offset + this.#lengthAt(offset);
    } catch (error) {
      if (error instanceof DamagedData) return undefined;
      throw error;
    }
  }

  #lengthAt(offset: number): number {
    this.#assertBounds(offset, this.headerBytes);
    const header = new Uint8Array(this.headerBytes);
    this.#readBytes(header, header.length, offset);
    return this.assertHeader(header, 0, offset);
  }

  /** Whether there is an intact header of the block at this offset at an index of `bytes`. */
  hasHeader(bytes: Uint8Array, at: number, offset: number): boolean {
    return isHeaderIntact(bytes, at, blockSeed(this.#seed, offset));
  }

  /** Checks the header at an index of `bytes`, of the block at this offset, and returns the length of the whole block. */
  assertHeader(bytes: Uint8Array, at: number, offset: number): number {
    if (this.#version !== 1 && !this.hasHeader(bytes, at, offset)) {
      throw this.failure('the checksum of a block header does not match', offset);
    }
    const length = this.headerBytes + readUint32(bytes, at);
    this.#assertBounds(offset, length);
    return length;
  }

  /** Checks the rest of a block whose header is intact. */
  assertBody(bytes: Uint8Array, at: number, offset: number, length: number): void {
    if (this.#version !== 1 && !isBodyIntact(bytes, at, length, blockSeed(this.#seed, offset))) {
      throw this.failure('the checksum of a block does not match', offset);
    }
  }

  failure(problem: string, offset?: number, options?: ErrorOptions): DamagedData {
    const where = offset === undefined ? {} : { offset };
    return new DamagedData({ file: this.path, ...where, problem }, options);
  }

  #assertBounds(offset: number, length: number): void {
    const fits = offset >= 0 && length >= this.headerBytes && length <= blockBytesMax;
    if (!fits || !(offset + length <= this.#footer.end)) {
      throw this.failure('a block does not fit into the file', offset);
    }
  }

  #readBytes(bytes: Uint8Array, length: number, offset: number): number {
    try {
      for (let done = 0; done < length; ) {
        const got = readSync(this.#descriptor as number, bytes, done, length - done, offset + done);
        if (got === 0) throw this.failure('it is truncated', offset + done);
        done += got;
      }
      return length;
    } catch (error) {
      throw isReadError(error) ? this.failure('it cannot be read', offset, { cause: error }) : error;
    }
  }

  #readFooter(): void {
    const size = this.fileBytes;
    if (size < footerBytes) {
      this.#damage = { file: this.path, problem: 'it is truncated' };
      return;
    }
    const offset = size - footerBytes;
    try {
      this.#readBytes(this.footerBytes, footerBytes, offset);
    } catch (error) {
      if (!(error instanceof DamagedData)) throw error;
      this.#damage = { file: this.path, offset, problem: error.problem };
      return;
    }
    const decoded = decodeFooter(this.footerBytes, size, this.#seed);
    if ('problem' in decoded) {
      this.#damage = { file: this.path, offset, problem: decoded.problem };
      return;
    }
    this.#version = decoded.version;
    if (decoded.version === 1 && this.#checksum !== undefined) this.#unverified = decoded.footer;
    else this.#footer = decoded.footer;
  }

  #verifySync(): void {
    const bytes = new Uint8Array(verifiedAtOnceBytes);
    const size = this.fileBytes;
    let checksum = 0;
    for (let offset = 0; offset < size; offset += bytes.length) {
      const length = Math.min(bytes.length, size - offset);
      this.#readBytes(bytes, length, offset);
      checksum = crc32(bytes.subarray(0, length), checksum);
    }
    this.#settle(checksum);
  }

  async #verify(): Promise<void> {
    if (!this.#unverified || this.#descriptor === undefined) return;
    const bytes = new Uint8Array(verifiedAtOnceBytes);
    let checksum = 0;
    try {
      for (let offset = 0; ; ) {
        const { bytesRead } = await readAsync(this.#descriptor, bytes, 0, bytes.length, offset);
        if (bytesRead === 0) break;
        checksum = crc32(bytes.subarray(0, bytesRead), checksum);
        offset += bytesRead;
      }
    } catch {
      // Closed meanwhile, or unreadable: the next use finds out which.
      return;
    }
    this.#settle(checksum);
  }

  #settle(checksum: number): void {
    const footer = this.#unverified;
    if (!footer) return;
    this.#unverified = undefined;
    if (checksum === this.#checksum) this.#footer = footer;
    else this.#damage = { file: this.path, problem: 'the checksum of the file does not match' };
  }
}

function openOrUndefined(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The disk could not read a sector. */
function isReadError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EIO';
}
