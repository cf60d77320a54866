/** Reads files in chunks of bounded size. */
import { close, closeSync, fsync, open, openSync, read, write } from 'node:fs';
import { promisify } from 'node:util';

const chunkBytes = 1 << 18;

const readAt = promisify(read);
export const closeFile = promisify(close);
export const syncFile = promisify(fsync);
export const writeTo = promisify(write);
export const openFile = promisify(open);

/** The first bytes of an open file, or fewer where it ends before. A chunk is overwritten by the next. */
export async function* readChunks(file: number, bytes: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(chunkBytes, bytes)));
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await readAt(file, buffer, 0, Math.min(buffer.length, bytes - at), at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** Makes the names in a directory durable. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = openSync(path, 'r');
  try {
    await syncFile(directory);
  } finally {
    closeSync(directory);
  }
}
