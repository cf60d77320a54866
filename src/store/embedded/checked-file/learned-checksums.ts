/**
 * Checksums per block of files that have only one for the whole. Such a file is read once per process, checked as a whole before any of it
 * is served, and its blocks are checked from then on.
 */
import type { FileHandle } from 'node:fs/promises';
import { appendChecksums, blockBytes } from '../../checked-file/block-checksums.ts';
import { type CheckedFileContent, readFully } from './checked-file.ts';

const chunkBytes = 4 * blockBytes;
const filesMax = 20_000;

/** Sees all of the file, in order; throws at the end if it is not what was stored. */
export interface WholeFileCheck {
  update(bytes: Uint8Array): void;
  finish(): void;
}

export class LearnedChecksums {
  readonly #known = new Map<string, Promise<Buffer>>();

  /** `key` names the file and its whole checksum. Rejects with what the check throws. */
  of(
    key: string,
    handle: FileHandle,
    content: CheckedFileContent,
    check: () => WholeFileCheck,
  ): Promise<Buffer> {
    const known = this.#known.get(key);
    if (known) return known;
    if (this.#known.size >= filesMax) this.#known.clear();
    const learning = learn(handle, content, check());
    this.#known.set(key, learning);
    // A file that was restored is read again.
    learning.catch(() => this.#known.delete(key));
    return learning;
  }
}

async function learn(
  handle: FileHandle,
  content: CheckedFileContent,
  check: WholeFileCheck,
): Promise<Buffer> {
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, content.size));
  const checksums: Buffer[] = [];
  for (let at = 0; at < content.size; at += chunk.length) {
    const part = chunk.subarray(0, Math.min(chunk.length, content.size - at));
    await readFully(handle, content, part, at);
    check.update(part);
    checksums.push(appendChecksums(Buffer.alloc(0), 0, part));
  }
  check.finish();
  return Buffer.concat(checksums);
}
