/** gzip, only for a client that accepts it and a response large enough to benefit. */
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';

const minCharacters = 1024;

/** Takes a tenth of a millisecond at most; a thread, and the way there and back, would cost three times as much. */
const atOnceMax = 8192;

/**
 * Takes 64 KiB where the defaults of zlib take 256. Many streams may wait for their clients, and V8 collects all garbage whenever some
 * 64 MB of such memory were used.
 */
export const smallGzip = { windowBits: 13, memLevel: 6 } as const;

/** For what is compressed at once: its buffers are garbage, too. */
const smallestGzip = { ...smallGzip, chunkSize: 2048 } as const;

const inThread = promisify(gzip) as (body: string | Buffer, options: typeof smallGzip) => Promise<Buffer>;

/** A body that may be sent again: `keeper`, or else this object, is what is kept for the next request. */
export interface KeptBody {
  readonly body: string | Buffer;
  readonly keeper?: object;
}

const compressedBodies = new WeakMap<object, Buffer | Promise<Buffer>>();

/** Compressed for the first client that accepts that, and kept as long as the body is. */
export function compressOnce(kept: KeptBody): Buffer | Promise<Buffer> {
  const { keeper = kept, body } = kept;
  const known = compressedBodies.get(keeper);
  if (known) return known;
  const compressed = body.length <= atOnceMax ? exact(gzipSync(body, smallestGzip)) : later(body, keeper);
  compressedBodies.set(keeper, compressed);
  return compressed;
}

function later(body: string | Buffer, keeper: object): Promise<Buffer> {
  return inThread(body, smallGzip).then(
    (compressed) => {
      const kept = exact(compressed);
      compressedBodies.set(keeper, kept);
      return kept;
    },
    (error: unknown) => {
      compressedBodies.delete(keeper);
      throw error;
    },
  );
}

/** Without the rest of the memory that zlib has reserved for it. */
function exact(compressed: Buffer): Buffer {
  return Buffer.from(compressed);
}

export function wantsGzip(acceptEncoding: string | undefined, body: string | Buffer): boolean {
  return body.length >= minCharacters && acceptsGzip(acceptEncoding);
}

/** `gzip;q=0` declines. `*` does not count: a client that does not name gzip gets an uncompressed response. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined) return false;
  return acceptEncoding.split(',').some((part) => {
    const [coding = '', ...weights] = part.split(';').map((item) => item.trim().toLowerCase());
    return (
      (coding === 'gzip' || coding === 'x-gzip') && !weights.some((weight) => /^q=0(\.0*)?$/.test(weight))
    );
  });
}
