/**
 * API keys: a typed prefix (so that secret scanners know them), 160 random bits, and a checksum by which
 * a scanner tells a key from chance. Keys that an operator brings along may look as they like; only new ones have this form.
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

/** The form that the contract's resource ids have: ten letters and digits. */
export function newId(): string {
  return Array.from({ length: 10 }, () => idAlphabet[randomInt(idAlphabet.length)]).join('');
}

/**
 * What a key is found by: SHA-256 in hex. A fast hash is right, since the input has more entropy than anyone can search,
 * and a look-up by it needs no constant-time comparison: how much of a digest matched says nothing about the key.
 */
export function keyDigest(key: string): string {
  return hash('sha256', key);
}

/** Why an operator's own key is refused, undefined when it is accepted: it must survive a header and a query string. */
export function keyFault(key: string): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(key)) return 'a key has printable ASCII characters only, no spaces';
  if (key.length < 8) return 'a key has at least 8 characters';
  if (key.length > 256) return 'a key has at most 256 characters';
  return undefined;
}

/** Why a username is refused, undefined when it is accepted. */
export function usernameFault(username: string): string | undefined {
  if (/^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/.test(username)) return undefined;
  return 'a username has 1 to 64 letters, digits and . _ @ -, and starts with a letter or digit';
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isBatchKeyForm(text: string): boolean {
  return uuidForm.test(text);
}

function checksum(secret: string): string {
  return hash('sha256', prefix + secret).slice(0, 4);
}
