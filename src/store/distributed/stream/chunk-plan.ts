/** Decides which chunks an append becomes, and where each stream ends behind them. */
import { crc32 } from 'node:zlib';
import { countLines } from '../../../model/count-lines.ts';
import type { Offset, StreamName } from '../../stream-store.ts';

/** Lines to append to a stream. */
export interface MinuteLines {
  readonly stream: StreamName;
  readonly minute: number;
  readonly bytes: Uint8Array;
}

/** Where a stream ends. */
export interface StreamHead {
  readonly name: StreamName;
  readonly end_byte: Offset;
  readonly end_line: number;
  readonly last_minute: number;
}

/** A row of `stream_chunk`. */
export interface Chunk {
  readonly stream: StreamName;
  readonly start_byte: Offset;
  readonly start_line: number;
  readonly minute: number;
  readonly size: number;
  readonly lines: number;
  readonly checksum: number;
  readonly bytes: Buffer;
}

/** A chunk is no longer than this, unless a single line is. */
const chunkBytes = 1 << 18;
const newline = 10;

/** Chunks of one stream, in order, and its new head. Lines of one minute become one chunk. */
export function planChunks(
  head: StreamHead,
  appended: readonly MinuteLines[],
): { readonly head: StreamHead; readonly chunks: readonly Chunk[] } {
  const chunks: Chunk[] = [];
  let { end_byte, end_line, last_minute } = head;
  for (let at = 0; at < appended.length; ) {
    // Where the clock of a node is behind, lines go to the latest minute.
    const minute = Math.max(last_minute, appended[at]?.minute ?? 0);
    const gathered: Uint8Array[] = [];
    for (; at < appended.length && (appended[at] as MinuteLines).minute <= minute; at += 1)
      gathered.push((appended[at] as MinuteLines).bytes);
    for (const bytes of splitLines(Buffer.concat(gathered))) {
      const [size, lines] = [bytes.length, countLines(bytes)];
      chunks.push({
        stream: head.name,
        start_byte: end_byte,
        start_line: end_line,
        minute,
        size,
        lines,
        checksum: crc32(bytes),
        bytes,
      });
      [end_byte, end_line] = [end_byte + size, end_line + lines];
    }
    last_minute = minute;
  }
  return { head: { name: head.name, end_byte, end_line, last_minute }, chunks };
}

/** Parts of whole lines. */
function* splitLines(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const fits =
      at + chunkBytes >= bytes.length ? bytes.length : bytes.lastIndexOf(newline, at + chunkBytes - 1) + 1;
    const end = fits > at ? fits : bytes.indexOf(newline, at) + 1;
    yield bytes.subarray(at, end);
    at = end;
  }
}
