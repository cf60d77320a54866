/** How far a source of lists has come, as its place tells it. A place that cannot be read is none: everything is taken again. */
import type { FileState } from '../located-file.ts';

export interface TakenFile extends FileState {
  /** Lines that were taken; undefined: all of them. */
  readonly lines?: number;
}

/** By the name of the file; a list that is no directory has one under the empty name. */
export type TakenFiles = ReadonlyMap<string, TakenFile>;

export function placeOf(taken: TakenFiles): string {
  return JSON.stringify([...taken]);
}

export function takenAt(place: string | undefined): TakenFiles {
  try {
    const files = JSON.parse(place ?? '[]') as unknown;
    return new Map(Array.isArray(files) ? files.filter(isTaken) : []);
  } catch {
    return new Map();
  }
}

function isTaken(entry: unknown): entry is [string, TakenFile] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string') return false;
  const { version, lines = 0 } = (entry[1] ?? {}) as Partial<TakenFile>;
  return typeof version === 'string' && Number.isInteger(lines);
}

/** Whether a file is to be asked for again only where it changed. */
export function isWhole(file: TakenFile | undefined): boolean {
  return file !== undefined && file.lines === undefined;
}
