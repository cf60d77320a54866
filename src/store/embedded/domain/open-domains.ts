/** Opens `domains.db`, in the main thread or in a worker. */
import { cacheSizePragma } from '../cache-sizes.ts';
import { type Database, openDatabase } from '../database.ts';

/** Records have about two kilobytes, which would waste half of a smaller page. */
const pageBytes = 8192;
/** The write-ahead log is truncated to this after a large import. */
const logBytes = 2 ** 26;
/** Memory-mapped reads: pages in the system's cache are read without a copy. */
const mappedBytes = 2 ** 31 - 65_536;

export function openDomains(path: string, cacheBytes: number): Database {
  const database = openDatabase(path, 'domains', 'full', pageBytes);
  database.pragma(cacheSizePragma(cacheBytes));
  database.pragma(`journal_size_limit = ${logBytes}`);
  database.pragma(`mmap_size = ${mappedBytes}`);
  return database;
}
