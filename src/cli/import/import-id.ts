/** The import id of a file by its contents and by how it is read: the same file counts once, wherever it lies. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

export async function importIdOf(
  file: string,
  how: readonly (string | Uint8Array | undefined)[],
): Promise<string> {
  const hash = createHash('sha256');
  for (const part of how) hash.update(part ?? '').update('\0');
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return `sha256:${hash.digest('hex').slice(0, 32)}`;
}
