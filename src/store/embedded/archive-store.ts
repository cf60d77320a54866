/**
 * Archives on one machine, below `archives/`:
 *
 *   <archive>/YYYY-MM-DD/<file>          its bytes
 *   <archive>/YYYY-MM-DD/<file>.sha256   `<hex>  <file>`, as `sha256sum -c` reads it, and a comment with the CRC-32 of that line
 *   .drafts/                             files being written
 *
 * A draft is synced and then hard-linked to its name, which succeeds for one writer alone. The checksum is written last, from the
 * file that has the name, and a file without one does not exist yet: a crash in between leaves work to repeat, never a wrong file.
 * A file is checked as a whole before any of it is served, once per process, and from then on block by block.
 */
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isArchiveFileName } from '../../model/archive-names.ts';
import type { ArchiveFile, ArchiveStore, FileSelection, OpenFile } from '../archive-store.ts';
import { type Damage, DamagedData } from '../damage.ts';
import { checksumText, digestOf, readChecksum, wholeDigest } from './archive/checksum-file.ts';
import { Drafts } from './archive/drafts.ts';
import { findSize, listNames, unlessMissing } from './archive/optional-files.ts';
import { CheckedFile, openStoredFile } from './checked-file/checked-file.ts';
import { LearnedChecksums } from './checked-file/learned-checksums.ts';

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
  readonly #checksums = new LearnedChecksums();

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
    const text = checksumText(sha256 ?? (await digestOf(path)), basename(path));
    const draft = await this.#drafts.write(textChunks(text), madeMs);
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
      unlessMissing(readFile(`${path}.sha256`, 'latin1')),
    ]);
    if (checksum === undefined) return undefined;
    const sha256 = readChecksum(checksum, `${path}.sha256`);
    // Neither adding nor pruning ever leaves a checksum without its file.
    if (size === undefined) throw new DamagedData({ file: path, problem: 'an archive is missing' });
    return { name, ...size, sha256 };
  }

  async openFile(name: string): Promise<OpenFile | undefined> {
    return this.#open(name, this.#checksums);
  }

  async #open(name: string, known: LearnedChecksums): Promise<OpenFile | undefined> {
    const file = await this.findFile(name);
    if (!file) return undefined;
    const content = { path: join(this.#root, name), subject: 'an archive', size: file.bytes };
    const handle = await openStoredFile(content);
    try {
      const check = () => wholeDigest(content.path, file.sha256);
      const checksums = await known.of(`${name} ${file.sha256}`, handle, content, check);
      const checked = new CheckedFile(handle, content, checksums);
      return { file, read: (from, to) => readChunks(checked, from, to), close: () => handle.close() };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async *verify(onProgress?: (done: number, all: number) => void): AsyncGenerator<Damage> {
    const names = await this.#allNames();
    for (const [index, name] of names.entries()) {
      try {
        const opened = await this.#open(name, new LearnedChecksums());
        await opened?.close();
      } catch (error) {
        if (!(error instanceof DamagedData)) throw error;
        yield error;
      }
      onProgress?.(index + 1, names.length);
    }
  }

  async pruneFiles(beforeDay: string, nowMs: number): Promise<void> {
    for (const archive of (await listNames(this.#root)).filter((name) => archiveForm.test(name))) {
      for (const day of await listNames(join(this.#root, archive))) {
        if (dayForm.test(day) && day < beforeDay) {
          await this.#drafts.discard(join(this.#root, archive, day));
        }
      }
    }
    await this.#drafts.removeAbandoned(nowMs);
  }

  async #allNames(): Promise<string[]> {
    const names: string[] = [];
    for (const archive of (await listNames(this.#root)).filter((name) => archiveForm.test(name))) {
      const days = (await listNames(join(this.#root, archive))).filter((day) => dayForm.test(day));
      for (const day of days) names.push(...(await this.#namesOfDay(archive, day, '')));
    }
    return names;
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

async function* readChunks(file: CheckedFile, from: number, to: number): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(chunkBytes, to - from)));
  for (let at = from; at < to; ) {
    const read = await file.read(buffer, at, to);
    yield buffer.subarray(0, read);
    at += read;
  }
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
