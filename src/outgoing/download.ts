/**
 * A file of others, however large, onto our disk: piece by piece, bounded in bytes and time, and only where it differs from what we had.
 * Half a file is none.
 */
import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { Problem } from '../model/problem.ts';
import type { Dialer } from './guarded-dialer.ts';
import { shownUrl } from './shown-url.ts';

export interface DownloadRequest {
  /** Written by the operator, its port included. */
  readonly url: string;
  /** Where it goes; what was there is replaced. */
  readonly path: string;
  /** What an earlier download said: nothing is sent where it still holds. */
  readonly known?: Validators | undefined;
  readonly bytesMax: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** By what a server tells one state of a file from another. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

export interface Download extends Validators {
  readonly bytes: number;
  /** Of all that was sent, hex: for servers that tell no states apart. */
  readonly sha256: string;
}

const redirectsMax = 5;
const validatorLengthMax = 1024;

/** Undefined where nothing has changed. Throws a Problem where the file does not come whole; nothing is left at `path` then. */
export async function download(
  dialer: Pick<Dialer, 'send'>,
  request: DownloadRequest,
): Promise<Download | undefined> {
  const { url, path, known = {}, bytesMax, timeoutMs, signal } = request;
  const file = await open(path, 'w');
  const hash = createHash('sha256');
  let bytes = 0;
  let isWhole = false;
  try {
    const answer = await dialer.send({
      method: 'GET',
      url,
      headers: {
        'user-agent': 'nameglass',
        ...(known.etag === undefined ? {} : { 'if-none-match': known.etag }),
        ...(known.lastModified === undefined ? {} : { 'if-modified-since': known.lastModified }),
      },
      timeoutMs,
      answerBytesMax: bytesMax,
      ports: 'configured',
      redirectsMax,
      signal,
      keepPiece: async (piece) => {
        bytes += piece.length;
        hash.update(piece);
        await file.appendFile(piece);
      },
    });
    const { status, headers, cut } = answer;
    if (status === 304) return undefined;
    if (status !== 200) throw new Problem('unavailable', `${shownUrl(url)} answers with status ${status}`);
    if (cut) throw new Problem('unavailable', `${shownUrl(url)} is larger than ${bytesMax} bytes`);
    await file.sync();
    isWhole = true;
    const validators = {
      ...told('etag', headers['etag']),
      ...told('lastModified', headers['last-modified']),
    };
    return { ...validators, bytes, sha256: hash.digest('hex') };
  } finally {
    await file.close();
    if (!isWhole) await rm(path, { force: true });
  }
}

function told(name: keyof Validators, header: unknown): Validators {
  return typeof header === 'string' && header.length <= validatorLengthMax ? { [name]: header } : {};
}
