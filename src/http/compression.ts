/** gzip, only for a client that asks for it and an answer that is worth it. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const worthwhileCharacters = 1024;

export const compress = promisify(gzip) as (text: string) => Promise<Buffer>;

/** `gzip;q=0` is a refusal. `*` is not taken as asking: clients that do not name gzip get what they can surely read. */
export function wantsGzip(acceptEncoding: string | undefined, text: string): boolean {
  if (acceptEncoding === undefined || text.length < worthwhileCharacters) return false;
  return acceptEncoding.split(',').some((part) => {
    const [coding = '', ...weights] = part.split(';').map((piece) => piece.trim().toLowerCase());
    return (
      (coding === 'gzip' || coding === 'x-gzip') && !weights.some((weight) => /^q=0(\.0*)?$/.test(weight))
    );
  });
}
