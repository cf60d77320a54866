/** What the manifest says of a file: its size, its SHA-256, and a CRC-32 of each of its blocks, which shows where it is damaged. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Damage } from '../../damage.ts';

const blockBytesMin = 65_536;
const blocksMax = 1024;

export interface FileDigest {
  readonly bytes: number;
  readonly sha256: string;
  /** Eight hex digits for each block. */
  readonly crc32: string;
}

/** Larger for large files, so that the manifest stays small. */
function blockBytesOf(bytes: number): number {
  let blockBytes = blockBytesMin;
  while (blockBytes * blocksMax < bytes) blockBytes *= 2;
  return blockBytes;
}

export class FileDigester {
  readonly #hash = createHash('sha256');
  readonly #blockBytes: number;
  #crcs = '';
  #bytes = 0;
  #crc = 0;

  constructor(expectedBytes: number) {
    this.#blockBytes = blockBytesOf(expectedBytes);
  }

  update(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    for (let at = 0; at < chunk.length; ) {
      const left = this.#blockBytes - (this.#bytes % this.#blockBytes);
      const part = chunk.subarray(at, at + left);
      this.#crc = crc32(part, this.#crc);
      this.#bytes += part.length;
      at += part.length;
      if (part.length === left) this.#endBlock();
    }
  }

  finish(): FileDigest {
    if (this.#bytes % this.#blockBytes > 0) this.#endBlock();
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex'), crc32: this.#crcs };
  }

  #endBlock(): void {
    this.#crcs += this.#crc.toString(16).padStart(8, '0');
    this.#crc = 0;
  }
}

/** Undefined where a file is what the manifest says. */
export function compareDigests(file: string, expected: FileDigest, found: FileDigest): Damage | undefined {
  if (found.bytes !== expected.bytes)
    return {
      file,
      offset: Math.min(found.bytes, expected.bytes),
      problem: `it has ${found.bytes} bytes, and had ${expected.bytes}`,
    };
  if (found.sha256 === expected.sha256) return undefined;
  const blockBytes = blockBytesOf(expected.bytes);
  for (let at = 0; at < expected.crc32.length; at += 8) {
    if (expected.crc32.slice(at, at + 8) === found.crc32.slice(at, at + 8)) continue;
    const offset = (at / 8) * blockBytes;
    const end = Math.min(offset + blockBytes, expected.bytes);
    return { file, offset, problem: `what is there up to byte ${end} is not what was backed up` };
  }
  return { file, problem: 'its SHA-256 is not the one in the manifest' };
}
