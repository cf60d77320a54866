/** Streaming gzip compression with backpressure: each chunk is fully consumed before the next is read. */
import { createGzip, type Gzip } from 'node:zlib';

const outputBytes = 65_536;

export async function* gzipChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gzip = createGzip({ level: 6, chunkSize: outputBytes });
  const fed = feed(gzip, chunks).catch((error: unknown) => void gzip.destroy(error as Error));
  try {
    for await (const output of gzip) yield output as Uint8Array;
  } finally {
    gzip.destroy();
    await fed;
  }
}

async function feed(gzip: Gzip, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of chunks) {
    await new Promise<void>((resolve, reject) => {
      gzip.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
  }
  gzip.end();
}
