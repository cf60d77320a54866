/**
 * The bytes of a file or of standard input, decompressed when they start like gzip or zstd. Everything is streamed, so a
 * file that unpacks to a thousand times its size needs no more memory than any other.
 */
import { pipeline, Readable, type Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { zstdFrames } from './zstd-frames.ts';

const magicBytes = 4;
const outputChunkBytes = 65_536;

type Packing = 'gzip' | 'zstd' | 'none';

function packingOf(start: Uint8Array): Packing {
  const [a = 0, b = 0, c = 0, d = 0] = start;
  if (a === 0x1f && b === 0x8b && c === 0x08) return 'gzip';
  if (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) return 'zstd';
  // A skippable frame, with which parallel packers begin.
  if ((a & 0xf0) === 0x50 && b === 0x2a && c === 0x4d && d === 0x18) return 'zstd';
  return 'none';
}

/** Gives back what was read to see how the data starts, then the rest; closes the source when the reader stops early. */
async function* rejoin(start: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (start.length > 0) yield start;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** What the unpackers themselves complain of, as against a source that failed. */
function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^Z(?:_|STD_)/.test(String(error.code));
}

async function* unpack(chunks: AsyncIterable<Uint8Array>, unpacker: Transform): AsyncGenerator<Uint8Array> {
  // Failures of either side arrive below through the unpacker, which the pipeline destroys with them.
  pipeline(Readable.from(chunks), unpacker, () => undefined);
  try {
    for await (const chunk of unpacker) yield chunk as Uint8Array;
  } catch (error) {
    throw isDamage(error) ? new Error('the compressed input is damaged or cut off', { cause: error }) : error;
  }
}

/** Rejects when compressed data is damaged or cut off; what came before the damage has then been given. */
export async function* plainBytes(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  let start = new Uint8Array(0);
  while (start.length < magicBytes) {
    const next = await source.next();
    if (next.done === true) break;
    start = start.length === 0 ? new Uint8Array(next.value) : new Uint8Array([...start, ...next.value]);
  }
  const whole = rejoin(start, source);
  const packing = packingOf(start);
  if (packing === 'gzip') yield* unpack(whole, createGunzip({ chunkSize: outputChunkBytes }));
  else if (packing === 'zstd')
    yield* unpack(zstdFrames(whole), createZstdDecompress({ chunkSize: outputChunkBytes }));
  else yield* whole;
}
