/** How a request proves who sends it. Each API has its own way: a header or a signature, a header alone, a member of the body. */

export interface KeyHolder {
  readonly username?: string | undefined;
  readonly key?: string | undefined;
  readonly batchKey?: string | undefined;
  readonly sign?: boolean | undefined;
}

/** HMAC-SHA-256 over username, timestamp and path, in lower-case hex. */
export async function signatureOf(
  key: string,
  username: string,
  timestamp: string,
  path: string,
): Promise<string> {
  const bytes = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const secret = await crypto.subtle.importKey('raw', bytes.encode(key), algorithm, false, ['sign']);
  const digest = await crypto.subtle.sign('HMAC', secret, bytes.encode(username + timestamp + path));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A signature serves one write, and one read with the same parameters, so no two requests are signed with the same time. */
export class Signer {
  #lastMs = 0;

  async sign(key: string, username: string, path: string): Promise<Record<string, string>> {
    this.#lastMs = Math.max(Date.now(), this.#lastMs + 1);
    const timestamp = new Date(this.#lastMs).toISOString();
    const signature = await signatureOf(key, username, timestamp, path);
    return { api_username: username, timestamp, signature };
  }
}

export function isBatch(path: string): boolean {
  return path.startsWith('/batchd/');
}

/** Only the platform API reads signatures. */
export function isSignable(path: string): boolean {
  return path.startsWith('/v1/');
}
