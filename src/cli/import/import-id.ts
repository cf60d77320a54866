/** The import id of a file: a hash of its contents and of the import options, so that importing a file twice is idempotent. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

export async function importIdOf(
  file: string,
  options: readonly (string | Uint8Array | undefined)[],
): Promise<string> {
  const hash = createHash('sha256');
  for (const part of options) hash.update(part ?? '').update('\0');
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return `sha256:${hash.digest('hex').slice(0, 32)}`;
}
