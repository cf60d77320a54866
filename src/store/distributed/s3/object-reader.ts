/**
 * Reads objects in pieces, each checked block by block before it is given out. Pieces that were read recently stay in memory, for readers of the same
 * part; several that want one at once share the request.
 */
import { hash } from 'node:crypto';
import { blockBytes, findDamagedBlock } from '../../checked-file/block-checksums.ts';
import { DamagedData } from '../../damage.ts';
import type { S3Client } from './s3-client.ts';
import type { StoredObject } from './stored-objects.ts';

export type CheckedObject = Pick<StoredObject, 'key' | 'bytes' | 'blockChecksums'>;

/** Whole blocks. */
const pieceBytes = 16 * blockBytes;

interface Piece {
  readonly bytes: Buffer;
  /** What follows the bytes instead of the rest of the piece. */
  readonly damage?: DamagedData;
}

export class ObjectReader {
  readonly #s3: S3Client;
  readonly #bytesMax: number;
  /** In the order in which they were last read. */
  readonly #pieces = new Map<string, Promise<Piece>>();

  constructor(s3: S3Client, bytesMax: number) {
    this.#s3 = s3;
    this.#bytesMax = bytesMax;
  }

  /** Throws `DamagedData` where stored bytes are not what was uploaded; what precedes them is given first. */
  async *read(object: CheckedObject, from: number, to: number): AsyncGenerator<Uint8Array> {
    const last = Math.ceil(Math.min(to, object.bytes) / pieceBytes) - 1;
    for (let index = Math.floor(from / pieceBytes); index <= last; index += 1) {
      const piece = this.#piece(object, index);
      // The next one is on its way while this one is consumed.
      if (index < last) this.#piece(object, index + 1).catch(() => undefined);
      const { bytes, damage } = await piece;
      const start = index * pieceBytes;
      const wanted = bytes.subarray(Math.max(0, from - start), Math.max(0, to - start));
      if (wanted.length > 0) yield wanted;
      if (damage && to > start + bytes.length) throw damage;
    }
  }

  /** Begins to read what will soon be asked for. */
  prefetch(object: CheckedObject): void {
    this.#piece(object, 0).catch(() => undefined);
  }

  /** The whole of a small object. Throws `DamagedData` where it is not what was uploaded. */
  async readWhole({ key, bytes, sha256 }: Omit<StoredObject, 'blockChecksums'>): Promise<Buffer> {
    const found = await this.#s3.findBytes(key, 0, bytes);
    if (!found) throw this.#missing(key);
    if (found.length === bytes && hash('sha256', found) === sha256) return found;
    const problem = 'the object does not match its SHA-256';
    throw new DamagedData({ file: this.#s3.nameOf(key), offset: 0, problem });
  }

  /** Throws `DamagedData` where the object is lost or has another size. */
  async assertStored({ key, bytes }: Pick<CheckedObject, 'key' | 'bytes'>): Promise<void> {
    const size = await this.#s3.findSize(key);
    if (size === undefined) throw this.#missing(key);
    if (size !== bytes) throw this.#otherSize(key, bytes, Math.min(size, bytes));
  }

  #piece(object: CheckedObject, index: number): Promise<Piece> {
    const id = `${object.key} ${index}`;
    const known = this.#pieces.get(id);
    this.#pieces.delete(id);
    const piece = known ?? this.#load(object, index);
    this.#pieces.set(id, piece);
    if (!known) this.#forgetOldest();
    // What failed is read again by the next reader.
    piece.then(
      ({ damage }) => damage && this.#pieces.delete(id),
      () => this.#pieces.delete(id),
    );
    return piece;
  }

  async #load({ key, bytes: size, blockChecksums }: CheckedObject, index: number): Promise<Piece> {
    const from = index * pieceBytes;
    const to = Math.min(from + pieceBytes, size);
    const bytes = await this.#s3.findBytes(key, from, to);
    if (!bytes) return { bytes: Buffer.alloc(0), damage: this.#missing(key) };
    const damaged = findDamagedBlock(blockChecksums, bytes, from);
    if (damaged !== undefined) {
      const problem = 'a block of the object does not match its checksum';
      const damage = new DamagedData({ file: this.#s3.nameOf(key), offset: damaged, problem });
      return { bytes: bytes.subarray(0, damaged - from), damage };
    }
    if (bytes.length === to - from) return { bytes };
    return { bytes, damage: this.#otherSize(key, size, from + bytes.length) };
  }

  #forgetOldest(): void {
    const piecesMax = Math.max(2, Math.floor(this.#bytesMax / pieceBytes));
    for (const id of this.#pieces.keys()) {
      if (this.#pieces.size <= piecesMax) return;
      this.#pieces.delete(id);
    }
  }

  #missing(key: string): DamagedData {
    return new DamagedData({ file: this.#s3.nameOf(key), problem: 'the object is missing' });
  }

  #otherSize(key: string, bytes: number, offset: number): DamagedData {
    const problem = `the object does not have the ${bytes} bytes that were stored`;
    return new DamagedData({ file: this.#s3.nameOf(key), offset, problem });
  }
}
