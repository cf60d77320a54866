/** Opens `watchlist.db`, in the main thread or a worker. */
import { cacheSizePragma } from '../cache-sizes.ts';
import { type Database, openDatabase } from '../database.ts';

/** The write-ahead log is truncated to this size after a large transaction. */
const logBytes = 2 ** 26;

/** Ids are random, so that index lookups have no locality: a large cache pays off. */
export function openWatchlistDatabase(path: string, cacheBytes: number): Database {
  const database = openDatabase(path, 'watchlist', 'full');
  database.pragma(cacheSizePragma(cacheBytes));
  database.pragma(`journal_size_limit = ${logBytes}`);
  return database;
}
