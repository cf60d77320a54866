/**
 * Archives: files that never change once they are there, each with its checksum, shelved by archive and day under names such
 * as `nod/2026-02-20/nod-20260220.1700-1800.json.gz` (`model/archive-names.ts`). A file is there whole and durable, or not at
 * all.
 */

export interface ArchiveFile {
  readonly name: string;
  readonly bytes: number;
  /** Of the bytes, in hex. */
  readonly sha256: string;
  readonly modifiedMs: number;
}

export interface FileSelection {
  /** The first part of the names. */
  readonly archive: string;
  /** What names begin with behind the archive and its slash, such as `2026-02-`; empty: any. */
  readonly prefix: string;
  /** How many of the newest to pass over, and how many to give then. */
  readonly skip: number;
  readonly limit: number;
}

/** A file that is read. It stays readable until it is closed, also when it is forgotten meanwhile. */
export interface OpenFile {
  readonly file: ArchiveFile;
  /** Bytes from one place up to but not including another. A piece is good until the next one is asked for. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

export interface ArchiveStore {
  /**
   * Keeps a file; it is there and durable when this resolves. Under a name that exists nothing changes and no piece is asked
   * for; of several at once under one name, one is kept.
   */
  put(name: string, pieces: AsyncIterable<Uint8Array>, madeMs: number): Promise<void>;

  /** Newest first. */
  listFiles(selection: FileSelection): Promise<readonly ArchiveFile[]>;

  findFile(name: string): Promise<ArchiveFile | undefined>;

  openFile(name: string): Promise<OpenFile | undefined>;

  /** Forgets the files of days before this one (`2026-02-20`), in every archive. */
  prune(beforeDay: string, nowMs: number): Promise<void>;
}
