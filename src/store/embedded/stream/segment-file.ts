/** An open segment. Nothing is given out that this process has not checked: now, or a short time ago in the same file. */
import { type BigIntStats, fstatSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { CheckedFile, type CheckedFileContent, readFully } from '../checked-file/checked-file.ts';
import { isSameFile, type VerifiedBlocks } from './verified-blocks.ts';

export interface StoredSegment {
  /** Names the file and its checksums. */
  readonly key: string;
  readonly content: CheckedFileContent;
  readonly checksums: Uint8Array;
}

export class SegmentFile {
  readonly #handle: FileHandle;
  readonly #stored: StoredSegment;
  readonly #verified: VerifiedBlocks;
  readonly #checked: CheckedFile;
  /** From before the next read. */
  #identity: BigIntStats;

  constructor(handle: FileHandle, stored: StoredSegment, verified: VerifiedBlocks) {
    this.#handle = handle;
    this.#stored = stored;
    this.#verified = verified;
    this.#checked = new CheckedFile(handle, stored.content, stored.checksums);
    this.#identity = this.#identify();
  }

  /** As `CheckedFile.read`. */
  async read(into: Buffer, from: number, to: number): Promise<number> {
    const { key } = this.#stored;
    const end = Math.min(to, from + into.length);
    if (this.#verified.has(key, this.#identity, from, end)) {
      const isSame = await this.#whileUnchanged(() => this.#fill(into.subarray(0, end - from), from));
      if (isSame) return end - from;
    }
    let read = 0;
    const before = this.#identity;
    const isSame = await this.#whileUnchanged(async () => {
      read = await this.#checked.read(into, from, to);
    });
    if (isSame && read > 0) this.#verified.add(key, before, from, from + read);
    return read;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  #fill(into: Buffer, from: number): Promise<void> {
    return readFully(this.#handle, this.#stored.content, into, from);
  }

  /** Whether the file is afterwards what it was before the work. */
  async #whileUnchanged(work: () => Promise<void>): Promise<boolean> {
    const before = this.#identity;
    await work();
    this.#identity = this.#identify();
    return isSameFile(before, this.#identity);
  }

  /** Blocks, for some microseconds: the system has it in memory while the file is open. A thread would take longer than what it saves. */
  #identify(): BigIntStats {
    return fstatSync(this.#handle.fd, { bigint: true });
  }
}
