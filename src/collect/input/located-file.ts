/** A file by path or URL, with change detection. A download is kept in the data directory while it is read. */
import { createReadStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../model/problem.ts';
import { download } from '../../outgoing/download.ts';
import type { Dialer } from '../../outgoing/guarded-dialer.ts';
import { decompress } from './decompress.ts';

export interface FileState {
  /** Identifies one state of the contents. */
  readonly version: string;
  readonly etag?: string;
  readonly lastModified?: string;
}

export interface LocatedFile extends FileState {
  /** When it was last modified, if known. */
  readonly modifiedMs: number | undefined;
  /** Decompressed. Throws where the data is damaged, truncated or exceeds the limit. */
  bytes(): AsyncIterable<Uint8Array>;
  /** Deletes the download. */
  release(): Promise<void>;
}

export interface FileNeeds {
  readonly dialer: Pick<Dialer, 'send'>;
  /** Owned by the caller; created where missing. */
  readonly directory: string;
}

export interface FileRequest {
  readonly location: string;
  /** Base name of the downloaded file. */
  readonly name: string;
  /** The state that was read last. */
  readonly known: FileState | undefined;
  readonly bytesMax: number;
  readonly unpackedBytesMax: number;
  readonly signal: AbortSignal;
}

const downloadMsMax = 7_200_000;

export function isUrl(location: string): boolean {
  return /^https?:\/\//i.test(location);
}

/** Undefined where the file is unchanged. Throws a Problem where it cannot be read. */
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
  // A pipe or device may never end.
  if (!found.isFile()) throw new Problem('unavailable', `${path} is not a file`);
  return {
    version: `${found.size}-${found.mtimeNs}`,
    modifiedMs: Number(found.mtimeMs),
    bytes: () => bounded(decompress(createReadStream(path)), unpackedBytesMax),
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
    bytes: () => bounded(decompress(createReadStream(path)), unpackedBytesMax),
    release: () => rm(path, { force: true }),
  };
}

/** The part of a file's description that is stored to detect changes. */
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
    if (bytes > bytesMax) throw new Problem('unavailable', `it decompresses to more than ${bytesMax} bytes`);
    yield chunk;
  }
}
