/** Reads a backup from a directory or a stream, and compares every file with the manifest. */

import { once } from 'node:events';
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  type WriteStream,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import type { BackupProgress } from '../../backup.ts';
import { type Damage, DamagedData } from '../../damage.ts';
import type { SinkFile } from './backup-sink.ts';
import { compareDigests, type FileDigest } from './file-digest.ts';
import {
  isSafePath,
  type ManifestEnd,
  type ManifestFile,
  type ManifestHead,
  ManifestReader,
  manifestName,
} from './manifest-lines.ts';
import { closeFile, openFile, readChunks } from './read-chunks.ts';
import { notOurs } from './tar-format.ts';
import { readTar } from './tar-reader.ts';
import { writeFile } from './write-file.ts';

export interface ReadOptions {
  /** Reads all chunks of a file, and says what was in it. */
  readonly onFile: (file: SinkFile) => Promise<FileDigest>;
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined;
}

export interface ReadResult {
  readonly head: ManifestHead;
  readonly end: ManifestEnd;
  /** Where files are not what the manifest says. */
  readonly damages: readonly Damage[];
  readonly databases: readonly ManifestFile[];
}

export async function readDirectory(directory: string, options: ReadOptions): Promise<ReadResult> {
  let doneBytes = 0;
  return readManifest(join(directory, manifestName), async (listed) => {
    const { path, bytes } = listed;
    options.onProgress?.({ file: path, doneBytes, allBytes: 0 });
    doneBytes += bytes;
    const found = await digestFile(directory, path, options);
    const file = join(directory, path);
    return found ? compareDigests(file, listed, found) : { file, problem: 'it is missing' };
  });
}

async function digestFile(
  directory: string,
  path: string,
  { onFile }: ReadOptions,
): Promise<FileDigest | undefined> {
  if (!existsSync(join(directory, path))) return undefined;
  const file = await openFile(join(directory, path), 'r');
  try {
    const { size: bytes } = fstatSync(file);
    return await onFile({ path, bytes, chunks: readChunks(file, bytes) });
  } finally {
    await closeFile(file);
  }
}

/** The manifest comes last. Until then what was read is written down in the scratch directory, in the same order. */
export async function readStream(
  source: AsyncIterable<Uint8Array>,
  scratch: string,
  options: ReadOptions,
): Promise<ReadResult> {
  const [manifest, foundPath] = [join(scratch, manifestName), join(scratch, 'found.ndjson')];
  const found = createWriteStream(foundPath, { mode: 0o600, flags: 'wx' });
  const closed = finished(found);
  closed.catch(() => undefined);
  try {
    await readFiles(source, manifest, found, options);
  } finally {
    // Closed before anybody removes the scratch directory.
    found.end();
    await closed;
  }
  const lines = linesOf(foundPath);
  return readManifest(manifest, async (listed) => {
    const next = await lines.next();
    const read = next.done ? undefined : (JSON.parse(next.value) as ManifestFile);
    if (read?.path !== listed.path) return { file: listed.path, problem: 'it is missing' };
    return compareDigests(listed.path, listed, read);
  });
}

async function readFiles(
  source: AsyncIterable<Uint8Array>,
  manifest: string,
  found: WriteStream,
  { onFile, onProgress }: ReadOptions,
): Promise<void> {
  let doneBytes = 0;
  for await (const file of readTar(source)) {
    if (existsSync(manifest)) throw notOurs('there is a file behind the manifest');
    onProgress?.({ file: file.path, doneBytes, allBytes: 0 });
    doneBytes += file.bytes;
    if (file.path === manifestName) {
      await writeFile(manifest, file);
      continue;
    }
    if (!isSafePath(file.path)) throw notOurs(`${file.path} is not a path in a backup`);
    const line = JSON.stringify({ path: file.path, ...(await onFile(file)) });
    if (!found.write(`${line}\n`)) await once(found, 'drain');
  }
}

async function readManifest(
  path: string,
  compare: (listed: ManifestFile) => Promise<Damage | undefined>,
): Promise<ReadResult> {
  if (!existsSync(path))
    throw new DamagedData({ file: path, problem: 'it is missing: this is no backup, or an unfinished one' });
  const reader = new ManifestReader(path);
  const lines = linesOf(path);
  const head = reader.readHead((await lines.next()).value);
  const damages: Damage[] = [];
  const databases: ManifestFile[] = [];
  for await (const line of lines) {
    const listed = reader.readFile(line);
    if (!listed) continue;
    if (listed.schema !== undefined) databases.push(listed);
    const damage = await compare(listed);
    if (damage) damages.push(damage);
  }
  const end = reader.end();
  if (!endsWithNewline(path)) throw new DamagedData({ file: path, problem: 'its last line is cut off' });
  return { head, end, damages, databases };
}

function endsWithNewline(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const last = Buffer.alloc(1);
    readSync(file, last, 0, 1, fstatSync(file).size - 1);
    return last.toString() === '\n';
  } finally {
    closeSync(file);
  }
}

async function* linesOf(path: string): AsyncGenerator<string, undefined> {
  yield* createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  return undefined;
}
