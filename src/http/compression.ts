/** gzip, only for a client that accepts it and a response large enough to benefit. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const minCharacters = 1024;

/** For streams, of which many may wait for their clients: each takes 64 KiB where the defaults of zlib take 256. */
export const streamGzip = { windowBits: 13, memLevel: 6 } as const;

const compress = promisify(gzip) as (body: string | Buffer) => Promise<Buffer>;

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
  const coming = compress(body);
  compressedBodies.set(keeper, coming);
  coming.then(
    (compressed) => compressedBodies.set(keeper, compressed),
    () => compressedBodies.delete(keeper),
  );
  return coming;
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
