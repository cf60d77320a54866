/** Files being written, in a separate directory under random names. */
import { createHash, type Hash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dayMs } from '../../../model/durations.ts';
import { findSize, listNames, unlessMissing } from './optional-files.ts';

/** A draft as old as this belongs to a process that was killed. */
const abandonedMs = dayMs;

export interface Draft {
  readonly path: string;
  readonly sha256: string;
}

export class Drafts {
  readonly #directory: string;

  constructor(directory: string) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#directory = directory;
  }

  /** The draft is synced when this resolves, ready to be renamed or linked. */
  async write(chunks: AsyncIterable<Uint8Array>, madeMs: number): Promise<Draft> {
    const path = join(this.#directory, randomBytes(12).toString('hex'));
    const handle = await open(path, 'wx', 0o600);
    const hash = createHash('sha256');
    try {
      await handle.writeFile(hashed(chunks, hash));
      await handle.utimes(madeMs / 1000, madeMs / 1000);
      await handle.sync();
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
    return { path, sha256: hash.digest('hex') };
  }

  /** Removes a directory in one step for everybody who reads it. */
  async discard(directory: string): Promise<void> {
    const path = join(this.#directory, randomBytes(12).toString('hex'));
    await unlessMissing(rename(directory, path));
    await rm(path, { recursive: true, force: true });
  }

  async removeAbandoned(nowMs: number): Promise<void> {
    for (const name of await listNames(this.#directory)) {
      const path = join(this.#directory, name);
      const { modifiedMs = nowMs } = (await findSize(path)) ?? {};
      if (modifiedMs < nowMs - abandonedMs) await rm(path, { recursive: true, force: true });
    }
  }
}

async function* hashed(chunks: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}
