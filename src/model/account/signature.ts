/**
 * The request signature of the platform API: a hex HMAC, keyed with the API key, of username + timestamp + path, where path is the
 * request path as sent. No parameter names the digest; it follows from the length of the signature.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export type SignatureDigest = 'sha256' | 'sha1' | 'md5';

const digestByLength: Readonly<Record<number, SignatureDigest>> = { 64: 'sha256', 40: 'sha1', 32: 'md5' };

export interface SignedRequest {
  readonly username: string;
  /** Exactly as sent; it is never re-formatted. */
  readonly timestamp: string;
  readonly path: string;
}

export function sign(request: SignedRequest, apiKey: string, digest: SignatureDigest = 'sha256'): string {
  const message = request.username + request.timestamp + request.path;
  return createHmac(digest, apiKey).update(message).digest('hex');
}

export function digestOf(signature: string): SignatureDigest | undefined {
  return /^[0-9a-f]+$/.test(signature) ? digestByLength[signature.length] : undefined;
}

/** Constant time for a given digest. */
export function verifies(signature: string, request: SignedRequest, apiKey: string): boolean {
  const digest = digestOf(signature);
  if (!digest) return false;
  return timingSafeEqual(Buffer.from(sign(request, apiKey, digest)), Buffer.from(signature));
}

const timestampForm = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+-]\d\d:?\d\d)$/;

/** The instant of a signature's timestamp (`…Z`, `…+0000`, `…-08:00`), undefined for any other text. */
export function findTimestampMs(timestamp: string): number | undefined {
  const match = timestampForm.exec(timestamp);
  if (!match) return undefined;
  const [, local, zone] = match as unknown as [string, string, string];
  const offset = zone === 'Z' || zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  const instant = Date.parse(local + offset);
  return Number.isNaN(instant) || !isRealDate(local) ? undefined : instant;
}

/** `Date.parse` reads February 30 as March 2. */
function isRealDate(local: string): boolean {
  const read = Date.parse(`${local}Z`);
  return !Number.isNaN(read) && new Date(read).toISOString().slice(0, 19) === local.slice(0, 19);
}
