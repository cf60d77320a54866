/**
 * Archives: immutable files with checksums, grouped by archive and day under names such as
 * `nod/2026-02-20/nod-20260220.1700-1800.json.gz` (`model/archive-names.ts`). Adding a file is atomic.
 */

import type { Damage } from './damage.ts';

export interface ArchiveFile {
  readonly name: string;
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
  readonly modifiedMs: number;
}

export interface FileSelection {
  /** The first part of the name. */
  readonly archive: string;
  /** Prefix of the rest of the name, such as `2026-02-`; may be empty. */
  readonly prefix: string;
  /** Files to skip, newest first. */
  readonly skip: number;
  readonly limit: number;
}

/** Stays readable until it is closed, even if the file is pruned meanwhile. */
export interface OpenFile {
  readonly file: ArchiveFile;
  /** Bytes from one offset up to but excluding another. A chunk is valid until the next one is requested. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

export interface ArchiveStore {
  /**
   * The file is listed and durable when this resolves. If the name exists, nothing changes and `chunks` is not read; of several
   * concurrent calls with one name, one wins.
   */
  addFile(name: string, chunks: AsyncIterable<Uint8Array>, madeMs: number): Promise<void>;

  /** Newest first. */
  listFiles(selection: FileSelection): Promise<readonly ArchiveFile[]>;

  findFile(name: string): Promise<ArchiveFile | undefined>;

  /** Throws `DamagedData` if the stored file is lost, or not what was added. */
  openFile(name: string): Promise<OpenFile | undefined>;

  /** Deletes the files of days before this one (`2026-02-20`), in every archive. */
  pruneFiles(beforeDay: string, nowMs: number): Promise<void>;

  /** Reads all files, and names those that are damaged. Progress is in files. */
  verify(onProgress?: (done: number, all: number) => void): AsyncIterable<Damage>;
}
