/** Divides the content of an object into parts of one size, and computes its checksums on the way. Only one part is in memory. */
import { createHash } from 'node:crypto';
import { appendChecksums } from '../../checked-file/block-checksums.ts';
import type { Payload } from './s3-requests.ts';

/** The last part is what the generator returns; it may be shorter, or empty. */
export type ObjectParts = AsyncGenerator<Payload, Payload, undefined>;

/** Checksums of an object as a whole. */
export class ObjectDigest {
  readonly #hash = createHash('sha256');
  readonly #blockChecksums: Buffer[] = [];
  #bytes = 0;

  update(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
  }

  /** Of whole blocks, but for the last part. */
  addPart(part: Uint8Array): void {
    this.#blockChecksums.push(appendChecksums(Buffer.alloc(0), 0, part));
  }

  finish() {
    return {
      bytes: this.#bytes,
      sha256: this.#hash.digest('hex'),
      blockChecksums: Buffer.concat(this.#blockChecksums),
    };
  }
}

export async function* partsOf(
  chunks: AsyncIterable<Uint8Array>,
  partBytes: number,
  digest: ObjectDigest,
): ObjectParts {
  let part = new PartBuffer(digest);
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      if (part.bytes === partBytes) {
        yield part.finish();
        part = new PartBuffer(digest);
      }
      const piece = chunk.subarray(at, at + partBytes - part.bytes);
      part.add(piece);
      at += piece.length;
    }
  }
  return part.finish();
}

class PartBuffer {
  readonly #digest: ObjectDigest;
  readonly #hash = createHash('sha256');
  readonly #pieces: Buffer[] = [];
  bytes = 0;

  constructor(digest: ObjectDigest) {
    this.#digest = digest;
  }

  /** Copies: a chunk is valid until the next one is requested. */
  add(piece: Uint8Array): void {
    this.#hash.update(piece);
    this.#digest.update(piece);
    this.#pieces.push(Buffer.from(piece));
    this.bytes += piece.length;
  }

  finish(): Payload {
    const bytes = Buffer.concat(this.#pieces);
    this.#digest.addPart(bytes);
    return { bytes, sha256: this.#hash.digest('hex') };
  }
}
