/** The checkpoint of a source of name lists. An unreadable checkpoint counts as none: everything is ingested again. */
import type { FileState } from '../../input/located-file.ts';

export interface FileCheckpoint extends FileState {
  /** Lines ingested; undefined: all. */
  readonly lines?: number;
}

/** By file name; the empty name for a list that is not a directory. */
export type FileCheckpoints = ReadonlyMap<string, FileCheckpoint>;

export function formatCheckpoint(files: FileCheckpoints): string {
  return JSON.stringify([...files]);
}

export function parseCheckpoint(checkpoint: string | undefined): FileCheckpoints {
  try {
    const files = JSON.parse(checkpoint ?? '[]') as unknown;
    return new Map(Array.isArray(files) ? files.filter(isFileCheckpoint) : []);
  } catch {
    return new Map();
  }
}

function isFileCheckpoint(entry: unknown): entry is [string, FileCheckpoint] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string') return false;
  const { version, lines = 0 } = (entry[1] ?? {}) as Partial<FileCheckpoint>;
  return typeof version === 'string' && Number.isInteger(lines);
}

/** Whether the whole file was ingested, so that it is needed again only when it changes. */
export function isComplete(file: FileCheckpoint | undefined): boolean {
  return file !== undefined && file.lines === undefined;
}
