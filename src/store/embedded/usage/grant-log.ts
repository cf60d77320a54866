/**
 * Grants within sliding windows. A limit of N is exact in constant time: grant n is allowed once grant n-N has left the window, so one
 * lookup decides, and each new row replaces an old one.
 *
 * Times never decrease with n. Grants later than the clock show that it was set back; they then count as made now, so that nobody waits
 * longer than one window for a time that may be far ahead. If they are only slightly later, time stops until the clock is there.
 */

import { reorderingMs } from '../../../concurrency/reordering.ts';
import type { CountedLimit } from '../../../model/account/limit.ts';
import { counterOf } from '../../usage/counter-of.ts';
import type { Database } from '../database.ts';

interface Grant {
  readonly n: number;
  readonly at_ms: number;
}

export class GrantLog {
  readonly #last;
  readonly #at;
  readonly #since;
  readonly #insert;
  readonly #drop;
  readonly #moveToNow;
  /** By counter, in the transaction that runs: charges of one group are mostly of one account. */
  readonly #lasts = new Map<string, Grant>();

  constructor(database: Database) {
    this.#last = database.prepare('select n, at_ms from grant_log where counter = ? order by n desc limit 1');
    this.#at = database.prepare('select at_ms from grant_log where counter = ? and n = ?').pluck();
    this.#since = database.prepare('select count(*) from grant_log where counter = ? and at_ms > ?').pluck();
    this.#insert = database.prepare('insert into grant_log (counter, n, at_ms) values (?, ?, ?)');
    this.#drop = database.prepare('delete from grant_log where counter = ? and n <= ?');
    this.#moveToNow = database.prepare(
      'update grant_log set at_ms = :nowMs where counter = :counter and at_ms > :nowMs',
    );
  }

  /** Other processes may have counted since the transaction before. */
  begin(): void {
    this.#lasts.clear();
  }

  /** Milliseconds until the limit has room, 0 if it has. Within a write transaction, even if nothing is granted. */
  waitMs(limit: CountedLimit, windowMs: number, nowMs: number): number {
    const counter = counterOf(limit);
    const last = this.#lastOf(counter);
    if (last.at_ms > nowMs + Math.min(reorderingMs, windowMs)) {
      this.#moveToNow.run({ counter, nowMs });
      this.#lasts.set(counter, { n: last.n, at_ms: nowMs });
    }
    const oldest = last.n + 1 - limit.size;
    if (oldest <= 0) return 0;
    const oldestMs = this.#at.get(counter, oldest) as number | undefined;
    return oldestMs === undefined ? 0 : Math.max(0, oldestMs + windowMs - nowMs);
  }

  usedOf(limit: CountedLimit, windowMs: number, nowMs: number): number {
    return this.#since.get(counterOf(limit), nowMs - windowMs) as number;
  }

  count(limit: CountedLimit, nowMs: number): void {
    const counter = counterOf(limit);
    const last = this.#lastOf(counter);
    const grant = { n: last.n + 1, at_ms: Math.max(nowMs, last.at_ms) };
    this.#insert.run(counter, grant.n, grant.at_ms);
    this.#lasts.set(counter, grant);
    const oldest = grant.n - limit.size;
    if (oldest > 0) this.#drop.run(counter, oldest);
  }

  #lastOf(counter: string): Grant {
    const known = this.#lasts.get(counter);
    if (known) return known;
    const last = (this.#last.get(counter) as Grant | undefined) ?? { n: 0, at_ms: 0 };
    this.#lasts.set(counter, last);
    return last;
  }
}
