/** Backups of all stores: what is asked for, what is made, and what is remembered of the last one. */
import type { Writable } from 'node:stream';
import type { Damage } from './damage.ts';

/** What may be left out, because it is large and can be lived without. */
export const optionalParts = ['images', 'archives'] as const;
export type OptionalPart = (typeof optionalParts)[number];

export interface BackupProgress {
  /** The file that is copied next; undefined for a step that is not about a file. */
  readonly file?: string | undefined;
  readonly doneBytes: number;
  /** An estimate. */
  readonly allBytes: number;
}

export interface BackupRequest {
  /** The data directory. */
  readonly data: string;
  /** A directory that does not exist or is empty, or a stream that gets a tar archive. */
  readonly to: string | Writable;
  readonly without: readonly OptionalPart[];
  /** The server secret, to be sealed into the backup; without it the backup has none. */
  readonly secret?: { readonly text: string; readonly passphrase: string };
  /** Of Nameglass. */
  readonly version: string;
  readonly clock: { now(): number };
  /** Called before every step, synchronously. */
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined;
}

export interface BackupSummary {
  /** Everything that was acknowledged before is in it. */
  readonly atMs: number;
  readonly files: number;
  readonly bytes: number;
  /** Where it is: a path, or `standard output`. */
  readonly location: string;
  /** What was damaged already when it was copied. */
  readonly damages: readonly Damage[];
}

/** What is remembered in the data directory. */
export type LastBackup = Omit<BackupSummary, 'damages'>;

export interface RestoreRequest {
  /** A directory, or the bytes of a tar archive. */
  readonly from: string | AsyncIterable<Uint8Array>;
  /** The new data directory: does not exist, or is empty. */
  readonly data: string;
  /** Opens the secret that was sealed into the backup. */
  readonly passphrase?: string | undefined;
  /** The secret, where it was kept apart. */
  readonly secret?: string | undefined;
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined;
}

export interface RestoreSummary {
  readonly files: number;
  readonly bytes: number;
  readonly madeAt: string;
  readonly madeBy: string;
  readonly without: readonly OptionalPart[];
  readonly hasSecret: boolean;
  /** Of before the backup. */
  readonly damages: readonly Damage[];
}

export interface BackupCheck {
  readonly damages: readonly Damage[];
  readonly files: number;
  readonly bytes: number;
  readonly madeAt: string | undefined;
  readonly madeBy: string | undefined;
}

/** A database whose schema is older than this version's. */
export interface PendingMigrations {
  readonly database: string;
  readonly bytes: number;
  /** In the order in which the next start applies them. */
  readonly files: readonly string[];
}

export interface Backups {
  make(request: BackupRequest): Promise<BackupSummary>;
  restore(request: RestoreRequest): Promise<RestoreSummary>;
  verify(directory: string, onProgress?: (progress: BackupProgress) => void): Promise<BackupCheck>;
  listPendingMigrations(data: string): readonly PendingMigrations[];
  findLast(data: string): LastBackup | undefined;
}
