/**
 * One instant of all databases. For a moment this process holds the write locks of all of them: nothing is committed anywhere, and no log
 * is copied. Within it a read transaction begins on each, which keeps that state for as long as copying takes, while writers go on.
 *
 * What such a state misses is what a process that was killed at this instant would have missed, and every stage of the pipeline continues
 * from that. So no pair of databases needs an order of its own.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../../../model/problem.ts';
import { type Database, isBusy, openForLock, openReadOnly } from '../database.ts';
import { namingErrors } from '../sqlite-errors.ts';

/** Writers wait for ten seconds; this is far below. */
const attemptMs = 1000;
const betweenAttemptsMs = 200;
const attempts = 60;
/** Writers that commit without a pause leave the lock for microseconds. */
const retryMs = 0.2;

export interface Snapshot {
  readonly path: string;
  readonly reader: Database;
}

/** Calls `atInstant` while the locks are held: it must not wait for anything. The readers stay open, in their transactions. */
export async function snapshotAll(
  paths: readonly string[],
  atInstant: (snapshots: readonly Snapshot[]) => void,
): Promise<readonly Snapshot[]> {
  const snapshots: Snapshot[] = [];
  const locks: Database[] = [];
  try {
    for (const path of paths) {
      snapshots.push({ path, reader: namingErrors(path, () => openReadOnly(path)) });
      locks.push(openForLock(path));
    }
    await lockAll(locks);
    for (const { path, reader } of snapshots) namingErrors(path, () => beginReading(reader));
    atInstant(snapshots);
  } catch (error) {
    closeInOrder(locks, snapshots);
    throw error;
  }
  closeInOrder(locks, []);
  return snapshots;
}

/** Readers last: one that may write would copy the log. */
function closeInOrder(locks: readonly Database[], snapshots: readonly Snapshot[]): void {
  for (const lock of locks) lock.close();
  for (const { reader } of snapshots) reader.close();
}

/** A transaction begins with its first read. */
function beginReading(reader: Database): void {
  reader.exec('begin');
  reader.prepare('select count(*) from sqlite_schema').get();
}

async function lockAll(locks: readonly Database[]): Promise<void> {
  let refused = '';
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const untilMs = performance.now() + attemptMs;
    const failed = locks.find((lock) => !lockUntil(lock, untilMs));
    if (!failed) return;
    refused = failed.name;
    for (const lock of locks) if (lock.inTransaction) lock.exec('rollback');
    await pause(betweenAttemptsMs * (1 + Math.random()));
  }
  throw new Problem(
    'unavailable',
    `${refused} is being written to all the time (an import, or a long migration?); try again when that is over`,
  );
}

function lockUntil(lock: Database, untilMs: number): boolean {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      lock.exec('begin immediate');
      return true;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > untilMs) return false;
      Atomics.wait(sleeper, 0, 0, retryMs);
    }
  }
}
