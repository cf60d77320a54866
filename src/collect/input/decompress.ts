/**
 * Decompresses gzip or zstd input, recognised by its magic number; other bytes pass unchanged. Streams throughout, so memory does
 * not depend on the compression ratio.
 */
import { pipeline, Readable, type Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { zstdFrames } from './zstd-frames.ts';

const magicBytes = 4;
const outputChunkBytes = 65_536;

type Compression = 'gzip' | 'zstd' | 'none';

function compressionOf(start: Uint8Array): Compression {
  const [a = 0, b = 0, c = 0, d = 0] = start;
  if (a === 0x1f && b === 0x8b && c === 0x08) return 'gzip';
  if (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) return 'zstd';
  // A skippable frame, as parallel compressors write first.
  if ((a & 0xf0) === 0x50 && b === 0x2a && c === 0x4d && d === 0x18) return 'zstd';
  return 'none';
}

/** Yields the bytes read for detection, then the rest; closes the source when the reader stops early. */
async function* rejoin(start: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (start.length > 0) yield start;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** Whether the decompressor failed, as opposed to its source. */
function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^Z(?:_|STD_)/.test(String(error.code));
}

async function* transform(
  chunks: AsyncIterable<Uint8Array>,
  decompressor: Transform,
): AsyncGenerator<Uint8Array> {
  // Failures of either side arrive through the decompressor, which the pipeline destroys.
  pipeline(Readable.from(chunks), decompressor, () => undefined);
  try {
    for await (const chunk of decompressor) yield chunk as Uint8Array;
  } catch (error) {
    throw isDamage(error)
      ? new Error('the compressed input is damaged or truncated', { cause: error })
      : error;
  }
}

/** Throws when compressed data is damaged or truncated, after yielding what came before. */
export async function* decompress(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  let start = new Uint8Array(0);
  while (start.length < magicBytes) {
    const next = await source.next();
    if (next.done === true) break;
    start = start.length === 0 ? new Uint8Array(next.value) : new Uint8Array([...start, ...next.value]);
  }
  const all = rejoin(start, source);
  const compression = compressionOf(start);
  if (compression === 'gzip') yield* transform(all, createGunzip({ chunkSize: outputChunkBytes }));
  else if (compression === 'zstd')
    yield* transform(zstdFrames(all), createZstdDecompress({ chunkSize: outputChunkBytes }));
  else yield* all;
}
