/**
 * The bytes of a page from what was sent: a body may be packed, even twice. No more is unpacked than is wanted, and what swells as only a
 * bomb does is left alone from there on. A body that is damaged or was cut off gives what was in it until then.
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

const packingsMax = 2;
/** Text never packs as well as this; the first bytes may. */
const ratioMax = 250;
const ratioFromBytes = 262_144;
/** What a browser must be able to unpack (RFC 9659), and no more memory than that. */
const zstdWindowLog = 23;

type Unpacker = (bytes: Buffer) => Transform;

const gzip: Unpacker = () => createGunzip({ finishFlush: zlib.Z_SYNC_FLUSH });
const unpackers: ReadonlyMap<string, Unpacker> = new Map<string, Unpacker>([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['deflate', createDeflateReader],
  ['br', () => createBrotliDecompress({ finishFlush: zlib.BROTLI_OPERATION_FLUSH })],
  ['zstd', () => createZstdDecompress({ params: { [zlib.ZSTD_d_windowLogMax]: zstdWindowLog } })],
]);

/** Some send the bare format where the standard wants a header before it. */
function createDeflateReader(bytes: Buffer): Transform {
  const hasHeader = ((bytes[0] ?? 0) & 0x0f) === 8;
  return (hasHeader ? createInflate : createInflateRaw)({ finishFlush: zlib.Z_SYNC_FLUSH });
}

/** `encoding` is the header `content-encoding`. Undefined where nobody could read it. */
export async function unpackBody(
  body: Buffer,
  encoding: string,
  bytesMax: number,
): Promise<Buffer | undefined> {
  const packings = encoding
    .toLowerCase()
    .split(',', packingsMax + 3)
    .map((word) => word.trim())
    .filter((word) => word !== '' && word !== 'identity');
  if (packings.length > packingsMax) return undefined;
  let bytes = body;
  for (const packing of packings.toReversed()) {
    const unpacker = unpackers.get(packing);
    if (!unpacker) return undefined;
    bytes = await unpack(bytes, unpacker(bytes), bytesMax);
  }
  return bytes.subarray(0, bytesMax);
}

async function unpack(packed: Buffer, unpacker: Transform, bytesMax: number): Promise<Buffer> {
  const max = Math.min(bytesMax, Math.max(ratioFromBytes, packed.length * ratioMax));
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    unpacker.end(packed);
    for await (const piece of unpacker as AsyncIterable<Buffer>) {
      pieces.push(piece.subarray(0, max - bytes));
      bytes += piece.length;
      if (bytes >= max) break;
    }
  } catch {
    // What came before the damage is what there is.
  }
  return Buffer.concat(pieces);
}
