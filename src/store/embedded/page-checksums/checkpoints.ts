/**
 * Makes the checkpoints of a connection, in place of SQLite's automatic ones: under the write lock, and with the checksums of all pages
 * that they copy into the database. All our connections do so, in every thread and process; see docs/decisions/0049.
 */
import type { Database } from '../database.ts';
import type { Coverage } from './checksum-file.ts';
import {
  coverLog,
  endSession,
  findToken,
  giveUpCertainty,
  isDiskFull,
  isLogEmpty,
  recordCopy,
  recordFirstWrite,
} from './cover-log.ts';
import { hasFrames } from './log-file.ts';

/** As many as SQLite waits for by default. */
const framesMin = 1000;

/** Rows written between two examinations of the log. */
const rowsMin = 128;

const byDatabase = new WeakMap<Database, Checkpoints>();

/** Connections of this thread that must be closed before it ends: SQLite would copy the log without us. */
const open = new Set<Database>();
let isExitHandled = false;

/** To be called after every statement that may write. Costs a few nanoseconds. */
export function noteWrite(database: Database, rows: number): void {
  byDatabase.get(database)?.noteWrite(rows);
}

/** From now on this connection makes no checkpoint but ours. */
export function makeCheckpoints(database: Database, openHelper: () => Database): void {
  database.pragma('wal_autocheckpoint = 0');
  const checkpoints = new Checkpoints(database, openHelper);
  byDatabase.set(database, checkpoints);
  open.add(database);
  Object.defineProperty(database, 'close', {
    value: () => {
      open.delete(database);
      return checkpoints.close();
    },
  });
  if (isExitHandled) return;
  isExitHandled = true;
  process.once('exit', () => {
    for (const left of open) left.close();
  });
}

class Checkpoints {
  readonly #database: Database;
  readonly #openHelper: () => Database;
  readonly #close: () => Database;
  readonly #lock;
  readonly #unlock;
  #rows = 0;
  /** Rows up to which the transaction need not be asked whether it has ended. */
  #examinedFrom = 0;
  #isBusy = false;
  #hasWritten = false;
  #covered: Coverage | undefined;

  constructor(database: Database, openHelper: () => Database) {
    this.#database = database;
    this.#openHelper = openHelper;
    this.#close = database.close.bind(database);
    this.#lock = database.prepare('begin immediate');
    this.#unlock = database.prepare('rollback');
  }

  noteWrite(rows: number): void {
    this.#rows += rows;
    // Within a transaction most statements write a row or more, and its end writes none.
    if (rows > 0 && this.#rows < this.#examinedFrom) return;
    if (this.#rows < (this.#hasWritten ? rowsMin : 1) || this.#isBusy) return;
    this.#examinedFrom = this.#rows + rowsMin;
    if (this.#database.inTransaction) return;
    this.#examinedFrom = 0;
    if (!this.#hasWritten) this.#recordFirstWrite();
    if (this.#rows < rowsMin) return;
    this.#rows = 0;
    if (hasFrames(this.#database.name, framesMin, this.#covered)) this.#checkpoint();
  }

  /** SQLite itself copies what is left in the log, if this is the last connection. */
  close(): Database {
    const { name: path } = this.#database;
    if (!this.#database.open) return this.#database;
    if (this.#database.inTransaction) this.#unlock.run();
    // While another connection has the lock, this one is not the last.
    const token = this.#whileLocked(() => coverLog(path) && findToken(path));
    this.#close();
    if (token) endSession(path, token);
    return this.#database;
  }

  #recordFirstWrite(): void {
    const { name: path } = this.#database;
    // A script may find nothing to do.
    if (isLogEmpty(path)) return;
    this.#hasWritten = true;
    try {
      recordFirstWrite(path);
    } catch {
      // The worst that follows is a false alarm if another program copies the log after a crash.
    }
  }

  #checkpoint(): void {
    this.#whileLocked(() => {
      const { name: path } = this.#database;
      const helper = this.#openHelper();
      const run = (mode: 'noop' | 'passive') => {
        const [row] = helper.pragma(`wal_checkpoint(${mode})`) as CheckpointRow[];
        return row as CheckpointRow;
      };
      try {
        const covered = this.#cover(run('noop').log);
        const { busy, log, checkpointed } = run('passive');
        if (covered && busy === 0 && log === checkpointed) recordCopy(path, covered, log);
      } finally {
        helper.close();
      }
    });
  }

  #cover(frames: number): Coverage | undefined {
    const { name: path } = this.#database;
    try {
      this.#covered = coverLog(path, frames);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      // A full disk needs the room in the log more than it needs checksums.
      giveUpCertainty(path);
      this.#covered = undefined;
    }
    return this.#covered;
  }

  /**
   * Undefined, and nothing is done, if the lock is not to be had now. As with SQLite's own checkpoints, a failure is no failure of the
   * statement that happened to cause it: the log is complete, and the next one tries again.
   */
  #whileLocked<Result>(work: () => Result): Result | undefined {
    this.#isBusy = true;
    try {
      this.#lock.run();
      try {
        return work();
      } finally {
        this.#unlock.run();
      }
    } catch {
      return undefined;
    } finally {
      this.#isBusy = false;
    }
  }
}

/** In frames of the log: how many are committed, and how many of them are in the database. */
interface CheckpointRow {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}
