/** Opening `watchlist.db`, in a thread or not. */
import { type Database, openDatabase } from '../database.ts';

/** Ids are random, so every page of their indexes is as likely as any other to be needed next. */
const cacheKib = 32_768;
/** What the log is cut to after a great change. */
const logBytes = 2 ** 26;

export function openWatchlist(path: string): Database {
  const database = openDatabase(path, 'watchlist', 'full');
  database.pragma(`cache_size = -${cacheKib}`);
  database.pragma(`journal_size_limit = ${logBytes}`);
  return database;
}
