/**
 * A file that the operator named, by a path on this machine or by a URL, and how to tell whether it is still the one that was read. What
 * comes by URL lies in the data directory while it is read.
 */
import { createReadStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../model/problem.ts';
import { download } from '../../outgoing/download.ts';
import type { Dialer } from '../../outgoing/guarded-dialer.ts';
import { plainBytes } from '../rrset-formats/plain-bytes.ts';

export interface FileState {
  /** One state of the file, told from all others. */
  readonly version: string;
  readonly etag?: string;
  readonly lastModified?: string;
}

export interface LocatedFile extends FileState {
  /** When it was like this, as far as anybody says. */
  readonly modifiedMs: number | undefined;
  /** Its bytes, unpacked. Throws where they are damaged, cut off, or beyond all measure. */
  bytes(): AsyncIterable<Uint8Array>;
  /** It is no longer read. */
  release(): Promise<void>;
}

export interface FileNeeds {
  readonly dialer: Pick<Dialer, 'send'>;
  /** Of ours alone; made where it is not there. */
  readonly directory: string;
}

export interface FileRequest {
  readonly location: string;
  /** Of the file that a download lies in meanwhile. */
  readonly name: string;
  /** What was read the last time. */
  readonly known: FileState | undefined;
  readonly bytesMax: number;
  readonly unpackedBytesMax: number;
  readonly signal: AbortSignal;
}

const downloadMsMax = 7_200_000;

export function isUrl(location: string): boolean {
  return /^https?:\/\//i.test(location);
}

/** Undefined where it is the same as last time. Throws a Problem where it cannot be had. */
export async function findChangedFile(
  needs: FileNeeds,
  request: FileRequest,
): Promise<LocatedFile | undefined> {
  const { location, known } = request;
  const file = isUrl(location) ? await downloaded(needs, request) : await local(request);
  if (file === undefined || file.version !== known?.version) return file;
  await file.release();
  return undefined;
}

async function local({ location: path, unpackedBytesMax }: FileRequest): Promise<LocatedFile> {
  const found = await stat(path, { bigint: true }).catch((cause: unknown) => {
    throw new Problem('unavailable', `${path} cannot be read`, { cause });
  });
  // What is no plain file may never end, or never begin.
  if (!found.isFile()) throw new Problem('unavailable', `${path} is not a file`);
  return {
    version: `${found.size}-${found.mtimeNs}`,
    modifiedMs: Number(found.mtimeMs),
    bytes: () => bounded(plainBytes(createReadStream(path)), unpackedBytesMax),
    release: async () => undefined,
  };
}

async function downloaded(
  { dialer, directory }: FileNeeds,
  request: FileRequest,
): Promise<LocatedFile | undefined> {
  const { location: url, name, known, bytesMax, unpackedBytesMax, signal } = request;
  await mkdir(directory, { recursive: true });
  const path = join(directory, `${name}.download`);
  const answer = await download(dialer, { url, path, known, bytesMax, timeoutMs: downloadMsMax, signal });
  if (!answer) return undefined;
  return {
    ...stateOf({ ...answer, version: answer.sha256 }),
    modifiedMs: timeOf(answer.lastModified),
    bytes: () => bounded(plainBytes(createReadStream(path)), unpackedBytesMax),
    release: () => rm(path, { force: true }),
  };
}

/** What is kept of a file in order to know it again. */
export function stateOf({ version, etag, lastModified }: FileState): FileState {
  return { version, ...(etag && { etag }), ...(lastModified && { lastModified }) };
}

function timeOf(date: string | undefined): number | undefined {
  const ms = Date.parse(date ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}

async function* bounded(chunks: AsyncIterable<Uint8Array>, bytesMax: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Problem('unavailable', `it unpacks to more than ${bytesMax} bytes`);
    yield chunk;
  }
}
