/** Opening `domains.db`, in a thread or not. */
import { type Database, openDatabase } from '../database.ts';

/** Records of two kilobytes would leave half of a smaller page empty. */
const pageBytes = 8192;
/** What the log is cut to after a great import. */
const logBytes = 2 ** 26;
/** What the system has in memory is read without a copy. */
const mappedBytes = 2 ** 31 - 65_536;

export function openDomains(path: string, cacheKib = 65_536): Database {
  const database = openDatabase(path, 'domains', 'full', pageBytes);
  database.pragma(`cache_size = -${cacheKib}`);
  database.pragma(`journal_size_limit = ${logBytes}`);
  database.pragma(`mmap_size = ${mappedBytes}`);
  return database;
}
