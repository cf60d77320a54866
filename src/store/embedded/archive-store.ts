/**
 * Archives on one machine, below `archives/`:
 *
 *   <archive>/YYYY-MM-DD/<file>          its bytes
 *   <archive>/YYYY-MM-DD/<file>.sha256   `<hex>  <file>`, as `sha256sum -c` reads it
 *   .drafts/                             files being written
 *
 * A draft is synced and then hard-linked to its name, which succeeds for one writer alone. The checksum is written last, from the
 * file that has the name, and a file without one does not exist yet: a crash in between leaves work to repeat, never a wrong file.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isArchiveFileName } from '../../model/archive-names.ts';
import type { ArchiveFile, ArchiveStore, FileSelection, OpenFile } from '../archive-store.ts';
import { Drafts } from './archive/drafts.ts';
import { findSize, listNames, unlessMissing } from './archive/optional-files.ts';

const archiveForm = /^[a-z0-9_]{1,64}$/;
const dayForm = /^\d{4}-\d\d-\d\d$/;
const dayLength = 'YYYY-MM-DD'.length;
const cachedMax = 50_000;
const chunkBytes = 131_072;

export function openArchiveStore(data: string): ArchiveStore {
  return new EmbeddedArchiveStore(join(data, 'archives'));
}

class EmbeddedArchiveStore implements ArchiveStore {
  readonly #root: string;
  readonly #drafts: Drafts;
  /** Files never change, so a listing reads only those from disk that are not cached. */
  readonly #cache = new Map<string, ArchiveFile>();

  constructor(root: string) {
    this.#root = root;
    this.#drafts = new Drafts(join(root, '.drafts'));
  }

  async addFile(name: string, chunks: AsyncIterable<Uint8Array>, madeMs: number): Promise<void> {
    if (!isArchiveFileName(name)) throw new Error(`${name} is not a valid archive file name`);
    if (await this.findFile(name)) return;
    const path = join(this.#root, name);
    await this.#makeDirectory(dirname(path));
    const sha256 = (await findSize(path)) === undefined ? await this.#claim(path, chunks, madeMs) : undefined;
    const checksum = `${sha256 ?? (await digestOf(path))}  ${basename(path)}\n`;
    const draft = await this.#drafts.write(textChunks(checksum), madeMs);
    await rename(draft.path, `${path}.sha256`);
    await syncDirectory(dirname(path));
  }

  async listFiles({ archive, prefix, skip, limit }: FileSelection): Promise<readonly ArchiveFile[]> {
    if (!archiveForm.test(archive)) return [];
    const days = (await listNames(join(this.#root, archive)))
      .filter((day) => dayForm.test(day) && day.startsWith(prefix.slice(0, dayLength)))
      .sort()
      .toReversed();
    const found: ArchiveFile[] = [];
    let skipped = 0;
    for (const day of days) {
      if (found.length >= limit) break;
      const names = await this.#namesOfDay(archive, day, prefix);
      const wanted = names.slice(skip - skipped, skip - skipped + limit - found.length);
      skipped += Math.min(names.length, skip - skipped);
      const files = await Promise.all(wanted.map((name) => this.#describe(name)));
      found.push(...files.filter((file) => file !== undefined));
    }
    return found;
  }

  async findFile(name: string): Promise<ArchiveFile | undefined> {
    if (!isArchiveFileName(name)) return undefined;
    const path = join(this.#root, name);
    const [size, checksum] = await Promise.all([
      findSize(path),
      unlessMissing(readFile(`${path}.sha256`, 'utf8')),
    ]);
    const [, sha256] = /^([0-9a-f]{64}) {2}/.exec(checksum ?? '') ?? [];
    if (size === undefined || sha256 === undefined) return undefined;
    return { name, ...size, sha256 };
  }

  async openFile(name: string): Promise<OpenFile | undefined> {
    const file = await this.findFile(name);
    if (!file) return undefined;
    const handle = await unlessMissing(open(join(this.#root, name), 'r'));
    if (!handle) return undefined;
    return { file, read: (from, to) => readChunks(handle, from, to), close: () => handle.close() };
  }

  async pruneFiles(beforeDay: string, nowMs: number): Promise<void> {
    for (const archive of (await listNames(this.#root)).filter((name) => archiveForm.test(name))) {
      for (const day of await listNames(join(this.#root, archive))) {
        if (dayForm.test(day) && day < beforeDay) {
          await rm(join(this.#root, archive, day), { recursive: true, force: true });
        }
      }
    }
    await this.#drafts.removeAbandoned(nowMs);
  }

  async #describe(name: string): Promise<ArchiveFile | undefined> {
    const cached = this.#cache.get(name);
    if (cached) return cached;
    const file = await this.findFile(name);
    if (this.#cache.size >= cachedMax) this.#cache.clear();
    if (file) this.#cache.set(name, file);
    return file;
  }

  async #namesOfDay(archive: string, day: string, prefix: string): Promise<string[]> {
    return (await listNames(join(this.#root, archive, day)))
      .filter((name) => name.endsWith('.sha256') && `${day}/${name}`.startsWith(prefix))
      .map((name) => `${archive}/${day}/${name.slice(0, -'.sha256'.length)}`)
      .filter(isArchiveFileName)
      .sort()
      .toReversed();
  }

  /** Links a new file to its name and gives its checksum; undefined where another writer was first. */
  async #claim(path: string, chunks: AsyncIterable<Uint8Array>, madeMs: number): Promise<string | undefined> {
    const draft = await this.#drafts.write(chunks, madeMs);
    try {
      await link(draft.path, path);
      return draft.sha256;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return undefined;
    } finally {
      await rm(draft.path, { force: true });
    }
  }

  /** A new directory is durable once the directories above it are synced. */
  async #makeDirectory(path: string): Promise<void> {
    if ((await mkdir(path, { recursive: true, mode: 0o700 })) === undefined) return;
    await syncDirectory(dirname(path));
    await syncDirectory(this.#root);
  }
}

async function* textChunks(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function* readChunks(handle: FileHandle, from: number, to: number): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(chunkBytes, to - from)));
  for (let at = from; at < to; ) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, to - at), at);
    if (bytesRead === 0) throw new Error('an archive file was truncated');
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
