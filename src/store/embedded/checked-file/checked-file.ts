/** Reads files whose blocks have checksums. Nothing is given out that fails its checksum. */
import { type FileHandle, open } from 'node:fs/promises';
import { blockBytes, findDamagedBlock } from '../../checked-file/block-checksums.ts';
import { DamagedData } from '../../damage.ts';

export interface CheckedFileContent {
  readonly path: string;
  /** What is stored in it, as in "a block of stream feed-nod". */
  readonly subject: string;
  /** Bytes that count; the file may be longer. */
  readonly size: number;
}

/** Throws `DamagedData` if the file is missing. */
export async function openStoredFile(content: CheckedFileContent): Promise<FileHandle> {
  try {
    return await open(content.path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new DamagedData({ file: content.path, problem: `a file of ${content.subject} is missing` });
  }
}

export class CheckedFile {
  readonly #handle: FileHandle;
  readonly #content: CheckedFileContent;
  readonly #checksums: Uint8Array;

  constructor(handle: FileHandle, content: CheckedFileContent, checksums: Uint8Array) {
    this.#handle = handle;
    this.#content = content;
    this.#checksums = checksums;
  }

  /**
   * Bytes from one position towards another. Gives how many, as few as the rest of one block; 0 if the buffer has no room for those, which
   * does not happen with `blockBytes` of room.
   */
  async read(into: Buffer, from: number, to: number): Promise<number> {
    const start = from - (from % blockBytes);
    const whole = from === start ? this.#wholeBlocks(from, Math.min(to, from + into.length)) : 0;
    if (whole > 0) return this.#readBlocks(into.subarray(0, whole), from);
    const end = Math.min(start + blockBytes, this.#content.size);
    const wanted = Math.min(to, end) - from;
    if (wanted > into.length) return 0;
    const block = Buffer.allocUnsafe(end - start);
    await this.#readBlocks(block, start);
    return block.copy(into, 0, from - start, from - start + wanted);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  /** How many bytes of whole blocks there are from the beginning of one up to a limit. */
  #wholeBlocks(from: number, limit: number): number {
    if (limit >= this.#content.size) return this.#content.size - from;
    return limit - from - ((limit - from) % blockBytes);
  }

  /** Gives how many bytes precede the first damaged block; throws if it is the first. */
  async #readBlocks(into: Buffer, from: number): Promise<number> {
    await readFully(this.#handle, this.#content, into, from);
    const damaged = findDamagedBlock(this.#checksums, into, from);
    if (damaged === undefined) return into.length;
    if (damaged > from) return damaged - from;
    const { path, subject } = this.#content;
    const problem = `a block of ${subject} does not match its checksum`;
    throw new DamagedData({ file: path, offset: damaged, problem });
  }
}

/** Fills the buffer; throws `DamagedData` if the file ends before. */
export async function readFully(
  handle: FileHandle,
  { path, subject, size }: CheckedFileContent,
  into: Buffer,
  from: number,
): Promise<void> {
  for (let done = 0; done < into.length; ) {
    const { bytesRead } = await handle.read(into, done, into.length - done, from + done);
    if (bytesRead === 0) {
      const problem = `the file of ${subject} ends here, and ${size} bytes were stored`;
      throw new DamagedData({ file: path, offset: from + done, problem });
    }
    done += bytesRead;
  }
}
