/** Reads a stream to its end or up to a limit, without the promises of asynchronous iteration for each chunk. */
import { finished, type Readable } from 'node:stream';

/**
 * Keeps `bytesMax` bytes and stops after `enoughBytes`; the caller then closes the stream. Throws the error of the stream, also where it is closed
 * before its end.
 */
export function readUpTo(
  stream: Readable,
  bytesMax: number,
  enoughBytes: number,
): Promise<{ readonly bytes: Buffer; readonly isTruncated: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const end = () => resolve({ bytes: Buffer.concat(chunks), isTruncated: length > bytesMax });
    const take = (chunk: Buffer) => {
      chunks.push(chunk.subarray(0, bytesMax - length));
      length += chunk.length;
      if (length < enoughBytes) return;
      stream.off('data', take).pause();
      end();
    };
    finished(stream, { writable: false }, (error) => (error ? reject(error) : end()));
    stream.on('data', take);
  });
}
