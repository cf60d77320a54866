import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface DatabaseFile {
  readonly path: string;
  readonly bytes: number;
}

/** All databases of a data directory. The smallest first, so that most are checked whatever the time. */
export function listDatabases(data: string): readonly DatabaseFile[] {
  return filesOf(data)
    .filter((path) => path.endsWith('.db'))
    .map((path) => ({ path, bytes: statSync(path).size }))
    .sort((one, other) => one.bytes - other.bytes);
}

/**
 * Databases whose checksums are there, and they themselves are not: a new one would be made in their stead, and what was in them would be
 * gone without a word. The leases of downloads may go.
 */
export function listMissingDatabases(data: string): readonly string[] {
  return filesOf(data)
    .filter((path) => path.endsWith('.db-crc'))
    .map((path) => path.slice(0, -'-crc'.length))
    .filter((path) => !existsSync(path) && basename(path) !== 'leases.db');
}

export const missingProblem = 'it is missing, and its checksums are there';

function filesOf(data: string): readonly string[] {
  if (!existsSync(data)) return [];
  const directories = readdirSync(data, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(data, name));
  return [data, ...directories].flatMap((directory) =>
    readdirSync(directory).map((name) => join(directory, name)),
  );
}

export function hasLargerDatabase(data: string, bytesMax: number): boolean {
  return listDatabases(data).some(({ bytes }) => bytes > bytesMax);
}
