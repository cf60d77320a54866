/** Bytes packed with gzip as they come. A piece has been taken in whole before the next one is asked for. */
import { createGzip, type Gzip } from 'node:zlib';

const outputBytes = 65_536;

export async function* gzipPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gzip = createGzip({ level: 6, chunkSize: outputBytes });
  const fed = feed(gzip, pieces).catch((error: unknown) => void gzip.destroy(error as Error));
  try {
    for await (const chunk of gzip) yield chunk as Uint8Array;
  } finally {
    gzip.destroy();
    await fed;
  }
}

async function feed(gzip: Gzip, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of pieces) {
    await new Promise<void>((resolve, reject) => {
      gzip.write(piece, (error) => (error ? reject(error) : resolve()));
    });
  }
  gzip.end();
}
