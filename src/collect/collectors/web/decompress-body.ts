/**
 * Decompresses an HTTP body by its content codings, at most two. Output is limited in size and in ratio, against decompression
 * bombs. A damaged or truncated body yields what could be decoded.
 */
import type { Transform } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  constants as zlib,
} from 'node:zlib';

const codingsMax = 2;
/** No text compresses better than this, apart from its first bytes. */
const ratioMax = 250;
const ratioFromBytes = 262_144;
/** The window that browsers must support (RFC 9659); it limits the decoder's memory. */
const zstdWindowLog = 23;

type CreateDecoder = (bytes: Buffer) => Transform;

const gzip: CreateDecoder = () => createGunzip({ finishFlush: zlib.Z_SYNC_FLUSH });
const decoders: ReadonlyMap<string, CreateDecoder> = new Map<string, CreateDecoder>([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['deflate', createDeflateReader],
  ['br', () => createBrotliDecompress({ finishFlush: zlib.BROTLI_OPERATION_FLUSH })],
  ['zstd', () => createZstdDecompress({ params: { [zlib.ZSTD_d_windowLogMax]: zstdWindowLog } })],
]);

/** Some servers send raw deflate where RFC 9110 requires the zlib format. */
function createDeflateReader(bytes: Buffer): Transform {
  const hasHeader = ((bytes[0] ?? 0) & 0x0f) === 8;
  return (hasHeader ? createInflate : createInflateRaw)({ finishFlush: zlib.Z_SYNC_FLUSH });
}

/** `encoding` is the `content-encoding` header. Undefined for a coding that is not supported. */
export async function decompressBody(
  body: Buffer,
  encoding: string,
  bytesMax: number,
): Promise<Buffer | undefined> {
  const codings = encoding
    .toLowerCase()
    .split(',', codingsMax + 3)
    .map((word) => word.trim())
    .filter((word) => word !== '' && word !== 'identity');
  if (codings.length > codingsMax) return undefined;
  let bytes = body;
  for (const coding of codings.toReversed()) {
    const createDecoder = decoders.get(coding);
    if (!createDecoder) return undefined;
    bytes = await decode(bytes, createDecoder(bytes), bytesMax);
  }
  return bytes.subarray(0, bytesMax);
}

async function decode(encoded: Buffer, decoder: Transform, bytesMax: number): Promise<Buffer> {
  const max = Math.min(bytesMax, Math.max(ratioFromBytes, encoded.length * ratioMax));
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    decoder.end(encoded);
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, max - bytes));
      bytes += chunk.length;
      if (bytes >= max) break;
    }
  } catch {
    // Damaged input: keep what was decoded before.
  }
  return Buffer.concat(chunks);
}
