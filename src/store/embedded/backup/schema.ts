/** Which migrations a database has, and which this version knows. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { assetPath } from '../../../asset-path.ts';
import type { PendingMigrations } from '../../backup.ts';
import { type Database, openReadOnly } from '../database.ts';
import { listDatabases } from '../verify/list-databases.ts';

/** The number of the last migration; 0 for an empty database. */
export function schemaOf(database: Database): number {
  const isThere = database
    .prepare("select count(*) from sqlite_schema where name = 'migration'")
    .pluck()
    .get();
  if (isThere === 0) return 0;
  return (database.prepare('select max(number) from migration').pluck().get() as number | null) ?? 0;
}

/** In order; none for a file that this version does not know. */
export function knownMigrations(path: string): readonly string[] {
  const name = basename(path, '.db');
  const folder = name === 'manifest' ? 'rrsets' : name;
  const root = assetPath('src/store/embedded/migrations');
  return readdirSync(root).includes(folder) ? readdirSync(join(root, folder)).sort() : [];
}

/** Of a data directory whose databases are not opened by this process otherwise. */
export function listPendingMigrations(data: string): readonly PendingMigrations[] {
  return listDatabases(data).flatMap(({ path, bytes }) => {
    const reader = openReadOnly(path);
    try {
      const files = knownMigrations(path).slice(schemaOf(reader));
      return files.length === 0 ? [] : [{ database: path, bytes, files }];
    } finally {
      reader.close();
    }
  });
}
