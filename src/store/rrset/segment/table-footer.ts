/**
 * The footer of a table, its last 64 bytes, little-endian: root offset (f64) and length (u32), height of the index (u32), number
 * of entries (f64), end of the blocks (f64), minimum first and maximum last seen (u32 each), zeros, checksum of everything before
 * it (u32, since version 2), and a magic number that contains the version of the file format (u32).
 */
import { crc32 } from 'node:zlib';
import { blockBytesMax } from './block.ts';
import { blockSeed } from './block-checksum.ts';
import { readUint32, writeUint32 } from './byte-order.ts';

export const footerBytes = 64;
export const formatVersion = 2;
const checksumAt = 56;
const magicAt = 60;
const magics = [0x4e47_5031, 0x4e47_5032] as const; // "NGP1", "NGP2"
/** An index block has more than a hundred entries unless keys are very long, so real tables have three or four levels. */
const heightMax = 32;

export interface TableFooter {
  readonly root: { readonly offset: number; readonly length: number };
  readonly height: number;
  readonly entries: number;
  /** The offset at which the blocks end and the footer begins. */
  readonly end: number;
  readonly minFirst: number;
  readonly maxLast: number;
}

export function encodeFooter({ root, height, entries, end, minFirst, maxLast }: TableFooter, seed: number) {
  const footer = new Uint8Array(footerBytes);
  const view = new DataView(footer.buffer);
  view.setFloat64(0, root.offset, true);
  view.setUint32(8, root.length, true);
  view.setUint32(12, height, true);
  view.setFloat64(16, entries, true);
  view.setFloat64(24, end, true);
  view.setUint32(32, minFirst, true);
  view.setUint32(36, maxLast, true);
  writeUint32(crc32(footer.subarray(0, checksumAt), blockSeed(seed, end)), footer, checksumAt);
  view.setUint32(magicAt, magics[1], true);
  return footer;
}

/** The footer at the end of a file of this size, or what is wrong with it. */
export function decodeFooter(
  bytes: Uint8Array,
  fileBytes: number,
  seed: number,
): { readonly footer: TableFooter; readonly version: 1 | 2 } | { readonly problem: string } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, footerBytes);
  const version = (magics.indexOf(view.getUint32(magicAt, true) as (typeof magics)[number]) + 1) as 0 | 1 | 2;
  if (version === 0) return { problem: 'it does not end like a table of an RRset segment' };
  const footer = {
    root: { offset: view.getFloat64(0, true), length: view.getUint32(8, true) },
    height: view.getUint32(12, true),
    entries: view.getFloat64(16, true),
    end: view.getFloat64(24, true),
    minFirst: view.getUint32(32, true),
    maxLast: view.getUint32(36, true),
  };
  const expected = blockSeed(seed, fileBytes - footerBytes);
  if (version === 2 && crc32(bytes.subarray(0, checksumAt), expected) !== readUint32(bytes, checksumAt)) {
    return { problem: 'the checksum of the footer does not match' };
  }
  const { root, height, entries, end } = footer;
  const fits =
    end === fileBytes - footerBytes &&
    Number.isSafeInteger(root.offset) &&
    root.offset >= 0 &&
    root.length <= blockBytesMax &&
    root.offset + root.length <= end &&
    height <= heightMax &&
    Number.isSafeInteger(entries) &&
    entries >= 0;
  return fits ? { footer, version } : { problem: 'the footer does not describe this file' };
}
