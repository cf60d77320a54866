/** Secret tokens of sessions, links and unfinished sign-ins: 256 random bits, of which only the digest is stored. */
import { randomBytes } from 'node:crypto';
import { keyDigest } from '../../model/account/api-key.ts';

export interface SecretToken {
  readonly token: string;
  readonly tokenDigest: string;
}

export function newToken(): SecretToken {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenDigest: keyDigest(token) };
}

const tokenForm = /^[\w-]{43}$/;

/** The digest of a token that a client sent; undefined for a text that no token has. */
export function findTokenDigest(token: string | undefined): string | undefined {
  return token !== undefined && tokenForm.test(token) ? keyDigest(token) : undefined;
}
