/**
 * Opening a SQLite database of ours: write-ahead log, forward-only numbered migrations, and transactions that wait for
 * other processes without blocking the event loop.
 */
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite, { type Database } from 'better-sqlite3';
import { Problem } from '../../model/problem.ts';

export type { Database } from 'better-sqlite3';

const migrationsDirectory = join(import.meta.dirname, 'migrations');

/** How long SQLite itself may wait for a lock, which blocks this thread; beyond it we wait asynchronously. */
const lockWaitMs = 5;
const lockPatienceMs = 10_000;

/** `full` fsyncs every commit; `normal` survives a killed process, and a power cut but for the last moments. */
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
    | 'walks'
    | 'watchlist'
    | 'jobs'
    | 'names'
    | 'risks'
    | 'images',
  durability: Durability,
  pageBytes = 4096,
): Database {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // SQLite gives its other files the mode of this one.
  closeSync(openSync(path, 'a', 0o600));
  const database = new Sqlite(path, { timeout: lockPatienceMs });
  // Of a database that is there already nothing changes.
  database.pragma(`page_size = ${pageBytes}`);
  patiently(() => database.pragma('journal_mode = WAL'));
  database.pragma(`synchronous = ${durability}`);
  database.pragma('foreign_keys = ON');
  migrate(database, join(migrationsDirectory, name));
  database.pragma(`busy_timeout = ${lockWaitMs}`);
  return database;
}

/** SQLite does not wait by itself where it changes the journal mode. At the start, blocking does no harm. */
function patiently(work: () => void): void {
  for (let waitedMs = 0; ; waitedMs += lockWaitMs) {
    try {
      work();
      return;
    } catch (error) {
      if (!isBusy(error) || waitedMs >= lockPatienceMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lockWaitMs);
    }
  }
}

function migrate(database: Database, directory: string): void {
  const files = readdirSync(directory).sort();
  database.exec(
    'create table if not exists migration (number integer primary key, file text not null) strict',
  );
  for (const [index, file] of files.entries()) {
    database
      .transaction(() => {
        const applied = database.prepare('select max(number) from migration').pluck().get() as number | null;
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

/** Reads at one moment. The library's own way does the same, and takes longer than many a read. */
export function snapshots(database: Database): <Result>(work: () => Result) => Result {
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

/** Runs a write transaction, trying again while another process holds the lock. */
export async function write<Result>(database: Database, work: () => Result): Promise<Result> {
  const transaction = database.transaction(work);
  let patienceMs = lockPatienceMs;
  for (;;) {
    try {
      return transaction.immediate();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (patienceMs <= 0) throw new Problem('unavailable', 'the database is busy', { cause: error });
      const waitMs = 1 + Math.random() * 9;
      patienceMs -= waitMs + lockWaitMs;
      await pause(waitMs);
    }
  }
}

/**
 * Whether another process has committed to the database since the last look. Looking costs system calls, so one look
 * serves all that the event loop handles of one batch of socket events. Nothing is missed by that: what is handled of a
 * batch had arrived before the batch, so before the look.
 */
export function changeDetector(database: Database): () => boolean {
  const dataVersion = database.prepare('pragma data_version').pluck();
  let seen = dataVersion.get();
  const { nodeTiming } = performance;
  let looked = { loopCount: -1, events: -1 };
  return () => {
    const { loopCount, events } = nodeTiming.uvMetricsInfo;
    if (looked.loopCount === loopCount && looked.events === events) return false;
    looked = { loopCount, events };
    const now = dataVersion.get();
    if (now === seen) return false;
    seen = now;
    return true;
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
}
