/**
 * API keys: a prefix for secret scanners, 160 random bits, and a checksum against false positives of scanners. Only keys that we
 * generate have this form; an operator's own keys can be any text that `findKeyFault` accepts.
 */
import { hash, randomBytes, randomInt, randomUUID } from 'node:crypto';

const prefix = 'ngk_';
const idAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function newApiKey(): string {
  const secret = randomBytes(20).toString('hex');
  return `${prefix}${secret}${checksum(secret)}`;
}

export function newBatchKey(): string {
  return randomUUID();
}

/** A resource id of the contract: ten letters and digits. */
export function newId(): string {
  return Array.from({ length: 10 }, () => idAlphabet[randomInt(idAlphabet.length)]).join('');
}

/**
 * Keys are looked up by this SHA-256 digest. A fast hash is right here, since keys have too much entropy for a search, and the lookup
 * needs no constant-time comparison: how much of a digest matches says nothing about the key.
 */
export function keyDigest(key: string): string {
  return hash('sha256', key);
}

/** Why an operator's own key is refused; undefined for an acceptable key, which fits in a header and a query string. */
export function findKeyFault(key: string): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(key)) return 'a key must be printable ASCII without spaces';
  if (key.length < 8) return 'a key must have at least 8 characters';
  if (key.length > 256) return 'a key must have at most 256 characters';
  return undefined;
}

/** Why a username is refused; undefined for an acceptable one. */
export function findUsernameFault(username: string): string | undefined {
  if (/^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/.test(username)) return undefined;
  return 'a username must have 1 to 64 letters, digits or . _ @ -, and start with a letter or digit';
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isBatchKeyForm(text: string): boolean {
  return uuidForm.test(text);
}

function checksum(secret: string): string {
  return hash('sha256', prefix + secret).slice(0, 4);
}
