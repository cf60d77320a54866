/**
 * The checksums in the blocks of a table (CRC-32). Each starts from a seed that stands for the name of the file and the offset
 * of the block, so that a block is refused where it does not belong: in the file of another segment, or elsewhere in its own.
 * A CRC depends injectively on its seed, so the same bytes under two different seeds never have the same checksum.
 */
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import { readUint32, writeUint32 } from './byte-order.ts';

const bodyChecksumAt = 13;
const headerChecksumAt = 17;
export const headerBytes = 21;
/** Of version 1, which has no checksums in its blocks. */
export const oldHeaderBytes = 13;

export function fileSeed(path: string): number {
  return crc32(basename(path));
}

/** Odd multipliers are invertible modulo 2^32, so different offsets below 4 GiB have different seeds. */
export function blockSeed(seedOfFile: number, offset: number): number {
  return (seedOfFile ^ Math.imul(offset, 0x9e37_79b1) ^ Math.imul(offset / 2 ** 32, 0x85eb_ca6b)) >>> 0;
}

/** Writes both checksums into the header of a block that is otherwise complete. */
export function sealBlock(block: Uint8Array, seed: number): void {
  writeUint32(crc32(block.subarray(headerBytes), seed), block, bodyChecksumAt);
  writeUint32(crc32(block.subarray(0, headerChecksumAt), seed), block, headerChecksumAt);
}

/** Whether the length, the kind and the times in the header at this index are those that were written. */
export function isHeaderIntact(bytes: Uint8Array, at: number, seed: number): boolean {
  const header = bytes.subarray(at, at + headerChecksumAt);
  return crc32(header, seed) === readUint32(bytes, at + headerChecksumAt);
}

/** The same for the rest of a block of this length, whose header is intact. */
export function isBodyIntact(bytes: Uint8Array, at: number, length: number, seed: number): boolean {
  const body = bytes.subarray(at + headerBytes, at + length);
  return crc32(body, seed) === readUint32(bytes, at + bodyChecksumAt);
}
