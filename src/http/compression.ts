/** gzip, only for a client that asks for it and an answer that is worth it. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const worthwhileCharacters = 1024;

export const compress = promisify(gzip) as (body: string | Buffer) => Promise<Buffer>;

export function wantsGzip(acceptEncoding: string | undefined, body: string | Buffer): boolean {
  return body.length >= worthwhileCharacters && asksForGzip(acceptEncoding);
}

/** `gzip;q=0` is a refusal. `*` is not taken as asking: clients that do not name gzip get what they can surely read. */
export function asksForGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined) return false;
  return acceptEncoding.split(',').some((part) => {
    const [coding = '', ...weights] = part.split(';').map((piece) => piece.trim().toLowerCase());
    return (
      (coding === 'gzip' || coding === 'x-gzip') && !weights.some((weight) => /^q=0(\.0*)?$/.test(weight))
    );
  });
}
