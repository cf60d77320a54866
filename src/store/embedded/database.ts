/**
 * Opens SQLite databases: write-ahead log, forward-only numbered migrations, and write transactions that wait for other processes without
 * blocking the event loop.
 */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite, { type Database, type Transaction } from 'better-sqlite3';
import { assetPath } from '../../asset-path.ts';
import { repliesReceived } from '../../concurrency/worker-client.ts';
import { Problem } from '../../model/problem.ts';
import { makeCheckpoints } from './page-checksums/checkpoints.ts';
import { checksumPath } from './page-checksums/checksum-file.ts';
import { beginSession } from './page-checksums/cover-log.ts';
import { nameErrorsOf, namingErrors } from './sqlite-errors.ts';

export type { Database, RunResult, Statement } from 'better-sqlite3';

const migrationsDirectory = assetPath('src/store/embedded/migrations');

/** How long SQLite itself may wait for a lock, which blocks the thread; after that we wait asynchronously. */
const lockWaitMs = 5;
const lockTimeoutMs = 10_000;

/** `full` fsyncs every commit. `normal` survives a killed process, but a power failure may lose the latest commits. */
export type Durability = 'full' | 'normal';

export function openDatabase(
  path: string,
  name:
    | 'accounts'
    | 'usage'
    | 'rrsets'
    | 'streams'
    | 'leases'
    | 'domains'
    | 'walks' // historical name of the result snapshots
    | 'watchlist'
    | 'jobs'
    | 'names'
    | 'risks'
    | 'images'
    | 'desk',
  durability: Durability,
  pageBytes = 4096,
): Database {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (!existsSync(path)) createPrivately(path);
  const database = namingErrors(path, () => new Sqlite(path, { timeout: lockTimeoutMs }));
  nameErrorsOf(database);
  // Has no effect on an existing database.
  database.pragma(`page_size = ${pageBytes}`);
  retryWhileBusy(() => database.pragma('journal_mode = WAL'));
  database.pragma(`synchronous = ${durability}`);
  database.pragma('foreign_keys = ON');
  try {
    keepChecksums(database, durability === 'full');
    migrate(database, join(migrationsDirectory, name));
  } catch (error) {
    database.close();
    throw error;
  }
  database.pragma(`busy_timeout = ${lockWaitMs}`);
  return database;
}

/** For work on the checksums of a database, whatever is in it. */
export function openForChecksums(path: string): Database {
  const database = namingErrors(
    path,
    () => new Sqlite(path, { timeout: lockTimeoutMs, fileMustExist: true }),
  );
  nameErrorsOf(database);
  database.pragma('synchronous = full');
  keepChecksums(database, undefined);
  return database;
}

function keepChecksums(database: Database, syncsCommits: boolean | undefined): void {
  const { name: path } = database;
  makeCheckpoints(database, () => new Sqlite(path, { timeout: lockWaitMs }));
  const pageBytes = database.pragma('page_size', { simple: true }) as number;
  database.transaction(() => beginSession(path, { pageBytes, syncsCommits })).immediate();
}

/**
 * An empty file is an empty database, and SQLite gives its -wal and -shm files the same mode. The file gets its name only after it was
 * closed: closing any descriptor of a database cancels the POSIX locks of all connections that this process has to it, and then another
 * program removes the write-ahead log under us. So no database is ever opened except by SQLite.
 */
function createPrivately(path: string): void {
  const draft = `${path}.${randomUUID()}`;
  closeSync(openSync(draft, 'wx', 0o600));
  try {
    linkSync(draft, path);
    // Of a database that is gone.
    rmSync(checksumPath(path), { force: true });
  } catch (error) {
    // Another thread or process was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** For a check of the file: nothing is created, changed or migrated. */
export function openReadOnly(path: string): Database {
  return new Sqlite(path, { readonly: true, fileMustExist: true });
}

/**
 * For a transaction that holds the write lock and writes nothing. It must not be the last connection to be closed: that would copy the
 * log without our checksums.
 */
export function openForLock(path: string): Database {
  const database = namingErrors(path, () => new Sqlite(path, { timeout: 0, fileMustExist: true }));
  database.pragma('wal_autocheckpoint = 0');
  return database;
}

/** A database with a rollback journal can be read without any file beside it. For one that nobody else has open. */
export function setJournal(path: string, mode: 'delete' | 'wal'): void {
  namingErrors(path, () => {
    const database = new Sqlite(path, { fileMustExist: true });
    try {
      database.pragma(`journal_mode = ${mode}`);
    } finally {
      database.close();
    }
  });
}

/** SQLite does not wait for the lock when it changes the journal mode. Blocking the thread is acceptable at startup. */
function retryWhileBusy(work: () => void): void {
  for (let waitedMs = 0; ; waitedMs += lockWaitMs) {
    try {
      work();
      return;
    } catch (error) {
      if (!isBusy(error) || waitedMs >= lockTimeoutMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lockWaitMs);
    }
  }
}

function migrate(database: Database, directory: string): void {
  const files = readdirSync(directory).sort();
  database.exec(
    'create table if not exists migration (number integer primary key, file text not null) strict',
  );
  const newest = database.prepare('select max(number) from migration').pluck();
  // Usual, and cheaper than asking in a transaction for each.
  if (newest.get() === files.length) return;
  for (const [index, file] of files.entries()) {
    database
      .transaction(() => {
        const applied = newest.get() as number | null;
        if ((applied ?? 0) > files.length) {
          throw new Problem(
            'unavailable',
            `${database.name} was written by a newer Nameglass (migration ${applied}); upgrade this one`,
          );
        }
        if ((applied ?? 0) > index) return;
        database.exec(readFileSync(join(directory, file), 'utf8'));
        database.prepare('insert into migration (number, file) values (?, ?)').run(index + 1, file);
      })
      .immediate();
  }
}

/** Runs reads on one snapshot of the database. Does the same as `database.transaction`, with less overhead per call. */
export function readTransactions(database: Database): <Result>(work: () => Result) => Result {
  const begin = database.prepare('begin');
  const end = database.prepare('commit');
  return (work) => {
    begin.run();
    try {
      return work();
    } finally {
      end.run();
    }
  };
}

/** Made once for each database: making one took 18 µs of each call. */
const transactions = new WeakMap<Database, Transaction<(work: () => unknown) => unknown>>();

/** Runs a write transaction, and retries while another process holds the lock. */
export async function write<Result>(database: Database, work: () => Result): Promise<Result> {
  const transaction = transactions.get(database) ?? database.transaction((run: () => unknown) => run());
  transactions.set(database, transaction);
  let remainingMs = lockTimeoutMs;
  for (;;) {
    try {
      return transaction.immediate(work) as Result;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (remainingMs <= 0) throw new Problem('unavailable', 'the database is busy', { cause: error });
      const waitMs = 1 + Math.random() * 9;
      remainingMs -= waitMs + lockWaitMs;
      await pause(waitMs);
    }
  }
}

/**
 * Whether another process has committed to the database since the last check. A check costs system calls, so it is made once per batch of
 * socket events. That misses nothing: every request of a batch arrived before the batch, and so before the check. A thread of this process
 * may commit and reply within a batch, so there is a check after each reply too.
 */
export function changeDetector(database: Database): () => boolean {
  const dataVersion = database.prepare('pragma data_version').pluck();
  let seen = dataVersion.get();
  const { nodeTiming } = performance;
  let checked = { loopCount: -1, events: -1, replies: -1 };
  return () => {
    const { loopCount, events } = nodeTiming.uvMetricsInfo;
    const replies = repliesReceived();
    if (checked.loopCount === loopCount && checked.events === events && checked.replies === replies)
      return false;
    checked = { loopCount, events, replies };
    const now = dataVersion.get();
    if (now === seen) return false;
    seen = now;
    return true;
  };
}

export function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
}
