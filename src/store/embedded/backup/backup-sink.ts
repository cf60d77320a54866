/** Where the files of a backup go, one after the other. */
import type { FileDigest } from './file-digest.ts';

export interface SinkFile {
  /** Within the backup. */
  readonly path: string;
  /** As many as `chunks` have. */
  readonly bytes: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

export interface BackupSink {
  /** What people are shown. */
  readonly location: string;
  /** A directory for what is not part of the backup yet. */
  readonly scratch: string;

  /** Where SQLite is to write the copy of a database, before `addDraft`. */
  draftOf(path: string): string;

  /** The draft stays where it is until it is released. */
  addDraft(path: string): Promise<FileDigest>;

  /** Nothing is read from it any more. */
  releaseDraft(path: string): void;

  addFile(file: SinkFile): Promise<FileDigest>;

  /** Adds the manifest, which is in the scratch directory. From now on the backup exists. */
  finish(manifest: string): Promise<void>;

  /** Leaves nothing behind: after a failure, and after the end. */
  discard(): void;
}
