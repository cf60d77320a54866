/**
 * What a clock that was set back does to jobs, as in the embedded store: every job holds the time at which its times were set, and one from
 * later than now moves back by the difference. Nodes have clocks that agree within seconds: one that does not is not ready.
 */

import { reorderingMs } from '../../../concurrency/reordering.ts';
import type { Clock } from '../../../model/clock.ts';
import { minuteMs } from '../../../model/durations.ts';
import { isSetBack } from '../../job/set-back.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';

/** The latest time is stored this often. */
const recordMs = minuteMs;

export class JobClock {
  readonly #database: PostgresDatabase;
  readonly #clock: Clock;
  /** The latest time that this node has seen, or found stored when it began. */
  #latestMs: number | undefined;
  #recordedMs = 0;

  constructor(database: PostgresDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** For the times that are set in this transaction. */
  async setMs(sql: Transaction): Promise<number> {
    const nowMs = this.#clock.now();
    if (nowMs >= this.#recordedMs + recordMs) {
      await sql`
        insert into job_clock (id, seen_ms) values (1, ${nowMs})
        on conflict (id) do update set seen_ms = greatest(job_clock.seen_ms, excluded.seen_ms)`;
      this.#recordedMs = nowMs;
    }
    return nowMs;
  }

  /** Jobs set by a clock that was ahead would wait until that time returns. */
  async followBack(): Promise<void> {
    const nowMs = this.#clock.now();
    this.#latestMs ??= await this.#storedMs();
    const isBack = isSetBack(nowMs, this.#latestMs);
    if (isBack) await this.#moveBack(nowMs);
    this.#latestMs = isBack ? nowMs : Math.max(this.#latestMs, nowMs);
  }

  async #storedMs(): Promise<number> {
    const [row] = await this.#database.read(
      (sql) => sql<{ seen_ms: number }[]>`select seen_ms from job_clock`,
    );
    return row?.seen_ms ?? 0;
  }

  async #moveBack(nowMs: number): Promise<void> {
    await this.#database.writeRepeatable(async (sql) => {
      await sql`
        update job set due_ms = due_ms - set_ms + ${nowMs}, ready_ms = ready_ms - set_ms + ${nowMs},
          again_ms = again_ms - set_ms + ${nowMs}, set_ms = ${nowMs}
        where set_ms > ${nowMs + reorderingMs}`;
      await sql`
        insert into job_clock (id, seen_ms) values (1, ${nowMs})
        on conflict (id) do update set seen_ms = excluded.seen_ms`;
    });
    this.#recordedMs = nowMs;
  }
}
