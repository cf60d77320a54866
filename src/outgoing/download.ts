/**
 * Downloads a file of any size to disk in chunks, bounded in bytes and time, and conditionally: an unchanged file is not sent
 * again. A truncated download leaves no file.
 */
import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { Problem } from '../model/problem.ts';
import type { Dialer } from './guarded-dialer.ts';
import { redactUrl } from './redact-url.ts';

export interface DownloadRequest {
  /** Set by the operator, port included. */
  readonly url: string;
  /** The file to write; replaced if it exists. */
  readonly path: string;
  /** Validators of an earlier download, for a conditional request. */
  readonly known?: Validators | undefined;
  readonly bytesMax: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** HTTP validators (RFC 9110, 8.8). */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

export interface Download extends Validators {
  readonly bytes: number;
  /** Of the whole body, hex: the version of the file for servers that send no validators. */
  readonly sha256: string;
}

const redirectsMax = 5;
const validatorLengthMax = 1024;

/**
 * Undefined where the file has not changed. Throws a Problem where it cannot be downloaded in full; no file is then left at `path`.
 */
export async function download(
  dialer: Pick<Dialer, 'send'>,
  request: DownloadRequest,
): Promise<Download | undefined> {
  const { url, path, known = {}, bytesMax, timeoutMs, signal } = request;
  const file = await open(path, 'w');
  const hash = createHash('sha256');
  let bytes = 0;
  let isComplete = false;
  try {
    const response = await dialer.send({
      method: 'GET',
      url,
      headers: {
        'user-agent': 'nameglass',
        ...(known.etag === undefined ? {} : { 'if-none-match': known.etag }),
        ...(known.lastModified === undefined ? {} : { 'if-modified-since': known.lastModified }),
      },
      timeoutMs,
      responseBytesMax: bytesMax,
      ports: 'configured',
      redirectsMax,
      signal,
      onChunk: async (chunk) => {
        bytes += chunk.length;
        hash.update(chunk);
        await file.appendFile(chunk);
      },
    });
    const { status, headers, isTruncated } = response;
    if (status === 304) return undefined;
    if (status !== 200) throw new Problem('unavailable', `${redactUrl(url)} responded with status ${status}`);
    if (isTruncated) throw new Problem('unavailable', `${redactUrl(url)} is larger than ${bytesMax} bytes`);
    await file.sync();
    isComplete = true;
    const validators = {
      ...validator('etag', headers['etag']),
      ...validator('lastModified', headers['last-modified']),
    };
    return { ...validators, bytes, sha256: hash.digest('hex') };
  } finally {
    await file.close();
    if (!isComplete) await rm(path, { force: true });
  }
}

function validator(name: keyof Validators, header: unknown): Validators {
  return typeof header === 'string' && header.length <= validatorLengthMax ? { [name]: header } : {};
}
