/**
 * Reads the pages and checksums of a log from the headers of its frames, not from the pages: a fraction of the work. For a process that
 * knows from SQLite how many frames are committed, and holds the write lock. If the log has rotted meanwhile, pages get the checksum of
 * what was written, and the next comparison finds what was copied.
 */
import { closeSync } from 'node:fs';
import {
  alignedBuffer,
  type LogChecksum,
  logChecksum,
  pageChecksumOf,
  readLogChecksum,
  wordsOf,
} from './log-checksum.ts';
import {
  frameHeaderBytes,
  type LogContents,
  type LogPosition,
  logHeaderBytes,
  openLog,
  parseHeader,
  readAt,
  readInto,
  sameLog,
} from './log-file.ts';

const chunkBytes = 1 << 18;

/** Kept, because fresh memory costs more than reading. */
let buffer: Buffer | undefined;

export function readLogHeaders(
  database: string,
  frames: number,
  since: LogPosition | undefined,
): LogContents | undefined {
  const descriptor = openLog(database);
  if (descriptor === undefined) return undefined;
  try {
    const header = readAt(descriptor, 0, logHeaderBytes);
    if (!header) return undefined;
    const { id, pageBytes } = parseHeader(header);
    const offsetOf = (index: number) => logHeaderBytes + index * (frameHeaderBytes + pageBytes);
    const first = since && sameLog(since, id) ? since.frames : 0;
    // The checksum is in the last bytes of either header.
    const last = readAt(descriptor, first === 0 ? 8 : offsetOf(first - 1), frameHeaderBytes);
    if (!last) return undefined;
    const checksums = new Map<number, LogChecksum>();
    let before = readLogChecksum(last, 16);
    let pages = 0;
    const frameBytes = frameHeaderBytes + pageBytes;
    const perChunk = Math.max(1, Math.floor(chunkBytes / frameBytes));
    buffer ??= alignedBuffer(chunkBytes);
    const words = wordsOf(buffer);
    for (let begin = first; begin < frames; begin += perChunk) {
      const chunk = buffer.subarray(0, Math.min(perChunk, frames - begin) * frameBytes);
      if (!readInto(chunk, descriptor, offsetOf(begin))) return undefined;
      for (let at = 0; at < chunk.length; at += frameBytes) {
        const after = readLogChecksum(chunk, at + 16);
        const head = logChecksum(before, words.subarray(at / 4, at / 4 + 2));
        checksums.set(chunk.readUInt32BE(at), pageChecksumOf(after, head, pageBytes));
        pages = chunk.readUInt32BE(at + 4) || pages;
        before = after;
      }
    }
    return { id, pageBytes, frames, pages, checksums, damages: [] };
  } finally {
    closeSync(descriptor);
  }
}
