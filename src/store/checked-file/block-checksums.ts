/** CRC-32 of every 64 KiB of a file, four bytes each, little-endian. The last block may be shorter. */
import { crc32 } from 'node:zlib';

export const blockBytes = 65_536;
const checksumBytes = 4;

/** The checksums of a file of `size` bytes after these were appended to it. A partial last block is continued without reading it. */
export function appendChecksums(checksums: Uint8Array, size: number, appended: Uint8Array): Buffer {
  const blocks = Math.ceil((size + appended.length) / blockBytes);
  const result = Buffer.alloc(blocks * checksumBytes);
  result.set(checksums);
  for (let at = size; at < size + appended.length; ) {
    const block = Math.floor(at / blockBytes);
    const end = Math.min((block + 1) * blockBytes, size + appended.length);
    const part = appended.subarray(at - size, end - size);
    result.writeUInt32LE(crc32(part, result.readUInt32LE(block * checksumBytes)), block * checksumBytes);
    at = end;
  }
  return result;
}

/** The first block that fails its checksum, as an offset; `bytes` begins with the block at `offset`. */
export function findDamagedBlock(
  checksums: Uint8Array,
  bytes: Uint8Array,
  offset: number,
): number | undefined {
  const sums = Buffer.from(checksums.buffer, checksums.byteOffset, checksums.byteLength);
  for (let at = 0; at < bytes.length; at += blockBytes) {
    const index = ((offset + at) / blockBytes) * checksumBytes;
    const isKnown = index + checksumBytes <= sums.length;
    if (!isKnown || crc32(bytes.subarray(at, at + blockBytes)) !== sums.readUInt32LE(index))
      return offset + at;
  }
  return undefined;
}
