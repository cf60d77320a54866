/**
 * Content-addressed image files below `images/`, named by the SHA-256 of their bytes: `ab/cdef….png`. A file is written and synced as a
 * draft before it is renamed, so that a named file is always complete.
 */
import { hash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DamagedData } from '../../damage.ts';
import { Drafts } from '../archive/drafts.ts';
import { listNames, unlessMissing } from '../archive/optional-files.ts';

const fileForm = /^[0-9a-f]{62}\.png$/;
const directoryForm = /^[0-9a-f]{2}$/;

export class ImageFiles {
  readonly #root: string;
  readonly #drafts: Drafts;

  constructor(root: string) {
    this.#root = root;
    this.#drafts = new Drafts(join(root, '.drafts'));
  }

  /** Returns the name of the file. It is durable when this resolves, even if another process wrote it. */
  async write(bytes: Buffer, madeMs: number): Promise<string> {
    const name = hash('sha256', bytes);
    const path = this.#path(name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // The bytes are at hand, so a damaged file is replaced.
    if (!(await this.isIntact(name))) {
      const draft = await this.#drafts.write(chunksOf(bytes), madeMs);
      await rename(draft.path, path);
    }
    await syncDirectory(dirname(path));
    await syncDirectory(this.#root);
    return name;
  }

  /** Synchronous, because callers hold a write transaction. */
  has(name: string): boolean {
    return existsSync(this.#path(name));
  }

  remove(name: string): void {
    rmSync(this.#path(name), { force: true });
  }

  async isIntact(name: string): Promise<boolean> {
    const bytes = await unlessMissing(readFile(this.#path(name)));
    return bytes !== undefined && hash('sha256', bytes) === name;
  }

  /** Undefined if the file is missing. Throws `DamagedData` if it is not what was written. */
  async find(name: string): Promise<Buffer | undefined> {
    const bytes = await unlessMissing(readFile(this.#path(name)));
    if (!bytes || hash('sha256', bytes) === name) return bytes;
    throw new DamagedData({ file: this.#path(name), problem: 'an image does not match its hash' });
  }

  missing(name: string): DamagedData {
    return new DamagedData({ file: this.#path(name), problem: 'an image is missing' });
  }

  /** All names, one directory at a time. */
  async *scanNames(): AsyncGenerator<readonly string[]> {
    for (const directory of (await listNames(this.#root)).filter((name) => directoryForm.test(name))) {
      const files = (await listNames(join(this.#root, directory))).filter((name) => fileForm.test(name));
      yield files.map((file) => directory + file.slice(0, -'.png'.length));
    }
  }

  /** Removes drafts of killed processes. */
  async removeAbandoned(beforeMs: number): Promise<void> {
    await this.#drafts.removeAbandoned(beforeMs);
  }

  #path(name: string): string {
    return join(this.#root, name.slice(0, 2), `${name.slice(2)}.png`);
  }
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
