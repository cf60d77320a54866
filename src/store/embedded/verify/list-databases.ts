import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface DatabaseFile {
  readonly path: string;
  readonly bytes: number;
}

/** All databases of a data directory. The smallest first, so that most are checked whatever the time. */
export function listDatabases(data: string): readonly DatabaseFile[] {
  if (!existsSync(data)) return [];
  const directories = readdirSync(data, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(data, name));
  return [data, ...directories]
    .flatMap((directory) => readdirSync(directory).map((name) => join(directory, name)))
    .filter((path) => path.endsWith('.db'))
    .map((path) => ({ path, bytes: statSync(path).size }))
    .sort((one, other) => one.bytes - other.bytes);
}

export function hasLargerDatabase(data: string, bytesMax: number): boolean {
  return listDatabases(data).some(({ bytes }) => bytes > bytesMax);
}
