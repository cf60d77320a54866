/**
 * Preloaded with `--import` into a process and its threads: ends a thread once, directly after it committed a change to the list of
 * passive DNS segments and before it can respond. The file at DIE_AFTER_COMMIT says when: `more`, once the list grew, or `fewer`.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import Sqlite, { type Database } from 'better-sqlite3';

const marker = process.env['DIE_AFTER_COMMIT'] ?? '';

function segmentsIn(database: Database): number {
  const tables = database.prepare("select count(*) from sqlite_schema where name = 'run'").pluck();
  return tables.get() === 0 ? 0 : (database.prepare('select count(*) from run').pluck().get() as number);
}

function dieIfAsked(change: number): void {
  if (change === 0 || !existsSync(marker)) return;
  if (readFileSync(marker, 'utf8') !== (change > 0 ? 'more' : 'fewer')) return;
  rmSync(marker);
  process.exit(1);
}

if (!isMainThread) {
  const prototype = Sqlite.prototype as Pick<Database, 'transaction'>;
  const original = prototype.transaction;
  prototype.transaction = function (this: Database, work: never) {
    const transaction = original.call(this, work);
    const dying = (...args: never[]) => {
      const before = segmentsIn(this);
      const result: unknown = transaction.immediate(...args);
      dieIfAsked(segmentsIn(this) - before);
      return result;
    };
    return Object.assign((...args: never[]) => transaction(...args), { immediate: dying });
  } as unknown as typeof original;
}
