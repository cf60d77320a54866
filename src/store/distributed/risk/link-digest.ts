/** Keys of links as PostgreSQL stores them: bytes, because a text there cannot have every character, and a digest of bounded length to find them by. */
import { createHash } from 'node:crypto';

export function linkDigest(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

export function keyHex(key: string): string {
  return Buffer.from(key).toString('hex');
}
