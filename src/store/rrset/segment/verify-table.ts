/**
 * Reads a whole table and finds what is damaged, in slices, so that a thread can do something else between two of them. Where a
 * header is damaged the next block is unknown; it is then found by trying every offset, which the seeds of the checksums allow.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { type Damage, DamagedData } from '../../damage.ts';
import { BlockCursor, indexKind, leafKind } from './block.ts';
import { compareBytes } from './byte-order.ts';
import { TableFile } from './table-file.ts';

const sliceBytes = 64 << 20;
const chunkBytes = 1 << 20;

/** How far verification has come: the checksum of the file and, since version 2, the entries in leaves up to here. */
export interface VerifyPosition {
  readonly offset: number;
  readonly checksum: number;
  readonly entries: number;
  readonly isIntact: boolean;
}

export const verifyStart: VerifyPosition = { offset: 0, checksum: 0, entries: 0, isIntact: true };

export interface VerifiedSlice {
  readonly damages: readonly Damage[];
  /** Undefined at the end of the file. */
  readonly next: VerifyPosition | undefined;
  /** According to the footer; undefined where that is damaged. */
  readonly entries: number | undefined;
  readonly fileBytes: number;
}

export function damageOf({ file, offset, problem }: DamagedData): Damage {
  return { file, problem, ...(offset === undefined ? {} : { offset }) };
}

export function verifyTable(path: string, checksum: number, from: VerifyPosition): VerifiedSlice {
  const file = new TableFile(path);
  try {
    const { damage, fileBytes } = file;
    if (damage) return { damages: [damage], next: undefined, entries: undefined, fileBytes };
    const slice =
      file.version === 1
        ? verifyChecksum(file, checksum, from)
        : new BlockVerifier(file, checksum, from).verifySlice();
    return { ...slice, entries: file.footer.entries, fileBytes };
  } finally {
    file.close();
  }
}

type Slice = Pick<VerifiedSlice, 'damages' | 'next'>;

function verifyChecksum({ path, fileBytes }: TableFile, expected: number, from: VerifyPosition): Slice {
  const descriptor = openSync(path, 'r');
  try {
    let { offset, checksum } = from;
    const bytes = new Uint8Array(chunkBytes);
    for (const until = offset + sliceBytes; offset < until; ) {
      const got = readSync(descriptor, bytes, 0, bytes.length, offset);
      if (got === 0) break;
      checksum = crc32(bytes.subarray(0, got), checksum);
      offset += got;
    }
    if (offset < fileBytes) return { damages: [], next: { ...from, offset, checksum } };
    const problem = 'the checksum of the file does not match';
    return { damages: checksum === expected ? [] : [{ file: path, problem }], next: undefined };
  } finally {
    closeSync(descriptor);
  }
}

class BlockVerifier {
  readonly #file: TableFile;
  readonly #cursor = new BlockCursor();
  readonly #damages: Damage[] = [];
  readonly #expected: number;
  #offset: number;
  #checksum: number;
  #entries: number;
  #isIntact: boolean;

  constructor(file: TableFile, expected: number, { offset, checksum, entries, isIntact }: VerifyPosition) {
    this.#file = file;
    this.#expected = expected;
    this.#offset = offset;
    this.#checksum = checksum;
    this.#entries = entries;
    this.#isIntact = isIntact;
  }

  verifySlice(): Slice {
    const { end } = this.#file.footer;
    for (const until = Math.min(end, this.#offset + sliceBytes); this.#offset < until; ) this.#verifyBlock();
    const position = {
      offset: this.#offset,
      checksum: this.#checksum,
      entries: this.#entries,
      isIntact: this.#isIntact && this.#damages.length === 0,
    };
    if (this.#offset < end) return { damages: this.#damages, next: position };
    const problem = position.isIntact ? this.#problemOfWhole() : undefined;
    if (problem !== undefined) this.#damages.push({ file: this.#file.path, problem });
    return { damages: this.#damages, next: undefined };
  }

  /** What is wrong where every part is intact: blocks that are missing, or a manifest that describes another file. */
  #problemOfWhole(): string | undefined {
    const { entries } = this.#file.footer;
    if (this.#entries !== entries) return `it has ${this.#entries} entries instead of ${entries}`;
    const checksum = crc32(this.#file.footerBytes, this.#checksum);
    return checksum === this.#expected ? undefined : 'the checksum in the manifest is another';
  }

  #verifyBlock(): void {
    try {
      const block = this.#file.readBlock(this.#offset);
      this.#verifyEntries(block);
      this.#checksum = crc32(block, this.#checksum);
      this.#offset += block.length;
    } catch (error) {
      const damage =
        error instanceof DamagedData ? damageOf(error) : { file: this.#file.path, problem: String(error) };
      this.#damages.push({ ...damage, offset: this.#offset });
      this.#offset = this.#nextBlock();
    }
  }

  #verifyEntries(block: Uint8Array): void {
    const { headerBytes } = this.#file;
    const cursor = this.#cursor;
    const kind = block[4];
    if (kind !== leafKind && kind !== indexKind) cursor.fail('a block is neither leaf nor index');
    cursor.open(block, headerBytes, block.length - headerBytes);
    let before = new Uint8Array(0);
    for (let entries = 0; cursor.next(); entries += 1) {
      const { key, keyLength } = cursor;
      if (entries > 0 && compareBytes(key, keyLength, before, before.length) <= 0) {
        cursor.fail('the entries of a block are not in order');
      }
      before = key.slice(0, keyLength);
      if (kind === leafKind) this.#entries += 1;
    }
  }

  /** The next block whose header is intact, or the end of the blocks. */
  #nextBlock(): number {
    const { end } = this.#file.footer;
    const known = this.#file.findBlockEnd(this.#offset);
    if (known !== undefined) return known;
    const chunk = new Uint8Array(chunkBytes);
    const overlap = this.#file.headerBytes;
    for (let from = this.#offset + 1; from < end; from += chunk.length - overlap) {
      const got = this.#file.readInto(chunk, from);
      for (let at = 0; at + overlap <= got; at += 1) {
        if ((chunk[at + 4] as number) <= indexKind && this.#file.hasHeader(chunk, at, from + at)) {
          return from + at;
        }
      }
      if (got < chunk.length) break;
    }
    return end;
  }
}
