/** Scans a file, plain or compressed, in chunks of whole lines, yielding to the event loop in between. For files of millions of lines. */
import { createReadStream } from 'node:fs';
import { yieldToEventLoop } from '../../concurrency/event-loop-slices.ts';
import { decompress } from './decompress.ts';

const usualChunkBytes = 1 << 15;
/** Longer lines are dropped. */
const lineBytesMax = 4096;
const newline = 10;

/** Each chunk but the last ends at the end of a line. */
export async function* scanFileLines(
  path: string,
  chunkBytes = usualChunkBytes,
): AsyncGenerator<Buffer, void, undefined> {
  let begun: Buffer = Buffer.alloc(0);
  for await (const bytes of decompress(createReadStream(path, { highWaterMark: chunkBytes }))) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const all = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
    const end = all.lastIndexOf(newline) + 1;
    if (end > 0) yield all.subarray(0, end);
    begun = all.subarray(end, end + lineBytesMax + 1);
    await yieldToEventLoop();
  }
  if (begun.length <= lineBytesMax && begun.length > 0) yield begun;
}

/** The lines of a chunk, without line ends. */
export function splitLines(chunk: Buffer): readonly string[] {
  return chunk
    .toString()
    .split('\n')
    .filter((line) => line.length <= lineBytesMax)
    .map((line) => line.trimEnd());
}
