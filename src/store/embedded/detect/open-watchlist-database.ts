/** Opens `watchlist.db`, in the main thread or a worker. */
import { type Database, openDatabase } from '../database.ts';

/** Ids are random, so that index lookups have no locality: a large cache pays off. */
const cacheKib = 32_768;
/** The write-ahead log is truncated to this size after a large transaction. */
const logBytes = 2 ** 26;

export function openWatchlistDatabase(path: string): Database {
  const database = openDatabase(path, 'watchlist', 'full');
  database.pragma(`cache_size = -${cacheKib}`);
  database.pragma(`journal_size_limit = ${logBytes}`);
  return database;
}
