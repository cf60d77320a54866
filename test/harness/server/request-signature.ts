/** Request signatures as a client computes them, from the published recipe and independently of the server's code. */
import { createHmac } from 'node:crypto';

export interface Signer {
  readonly username: string;
  readonly key: string;
}

export type Digest = 'sha256' | 'sha1' | 'md5';

export function signatureOf(by: Signer, timestamp: string, path: string, digest: Digest = 'sha256'): string {
  return createHmac(digest, by.key)
    .update(by.username + timestamp + path)
    .digest('hex');
}

export interface SignedParameters {
  readonly api_username: string;
  readonly timestamp: string;
  readonly signature: string;
}

export function signed(by: Signer, timestamp: string, path: string, digest?: Digest): SignedParameters {
  return { api_username: by.username, timestamp, signature: signatureOf(by, timestamp, path, digest) };
}

export function queryOf(parameters: Readonly<Record<string, string>> | SignedParameters): string {
  return new URLSearchParams({ ...parameters }).toString();
}
