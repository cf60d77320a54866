/**
 * What a clock that was set back does to jobs. Every job holds the time at which its times were set; one from later than now was set by a
 * clock that was ahead, and moves back by the difference: what was due at once is due now, and a lease lasts its own time.
 */

import { reorderingMs } from '../../../concurrency/reordering.ts';
import { minuteMs } from '../../../model/durations.ts';
import type { Database } from '../database.ts';

/** The latest time is stored this often. */
const recordMs = minuteMs;

/** About the latest time at which a process has set jobs. */
export function latestSetMs(database: Database): number {
  return (database.prepare('select seen_ms from clock').pluck().get() as number | undefined) ?? 0;
}

/** Every method runs within the caller's transaction. */
export class JobClock {
  readonly #record;
  readonly #moveBack;
  #recordedMs = 0;

  constructor(database: Database) {
    this.#record = database.prepare(
      'insert into clock (id, seen_ms) values (1, ?) on conflict do update set seen_ms = excluded.seen_ms',
    );
    this.#moveBack = database.prepare(
      `update job set due_ms = due_ms - set_ms + :nowMs, ready_ms = ready_ms - set_ms + :nowMs,
         again_ms = again_ms - set_ms + :nowMs, set_ms = :nowMs
       where set_ms > :nowMs + :reorderingMs`,
    );
  }

  record(setMs: number): void {
    if (setMs < this.#recordedMs + recordMs) return;
    this.#record.run(setMs);
    this.#recordedMs = setMs;
  }

  followBack(nowMs: number): void {
    this.#moveBack.run({ nowMs, reorderingMs });
    this.#record.run(nowMs);
    this.#recordedMs = nowMs;
  }
}
