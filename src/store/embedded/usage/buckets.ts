/**
 * Token buckets, by the generic cell rate algorithm: one time for each bucket, that at which it will be full again. Each grant moves it by
 * the time that one token takes to come back. A time further ahead than an empty bucket needs shows that the clock was set back; the
 * bucket then is empty now, and fills from now on.
 */
import type { CountedLimit } from '../../../model/account/limit.ts';
import type { Database } from '../database.ts';
import { counterOf } from './counter-of.ts';

const secondUs = 1_000_000;

export class Buckets {
  readonly #full;
  readonly #save;

  constructor(database: Database) {
    this.#full = database.prepare('select full_us from bucket where counter = ?').pluck();
    this.#save = database.prepare(
      'insert into bucket (counter, full_us) values (?, ?) on conflict (counter) do update set full_us = excluded.full_us',
    );
  }

  /** Milliseconds until there is a token, 0 if there is one. Within a write transaction, even if nothing is granted. */
  waitMs(limit: CountedLimit, perSecond: number, nowMs: number): number {
    const { missingUs, tokenUs, isAhead } = this.#stateOf(limit, perSecond, nowMs);
    if (isAhead) this.#save.run(counterOf(limit), nowMs * 1000 + missingUs);
    return Math.max(0, Math.ceil((missingUs + tokenUs - limit.size * tokenUs) / 1000));
  }

  usedOf(limit: CountedLimit, perSecond: number, nowMs: number): number {
    const { missingUs, tokenUs } = this.#stateOf(limit, perSecond, nowMs);
    return Math.ceil(missingUs / tokenUs);
  }

  count(limit: CountedLimit, perSecond: number, nowMs: number): void {
    const { missingUs, tokenUs } = this.#stateOf(limit, perSecond, nowMs);
    const { amount = 1 } = limit;
    this.#save.run(counterOf(limit), nowMs * 1000 + missingUs + amount * tokenUs);
  }

  /** `missingUs`: how long until the bucket is full. */
  #stateOf(limit: CountedLimit, perSecond: number, nowMs: number) {
    const tokenUs = Math.round(secondUs / perSecond);
    const fullUs = (this.#full.get(counterOf(limit)) as number | undefined) ?? 0;
    const [aheadUs, emptyUs] = [fullUs - nowMs * 1000, limit.size * tokenUs];
    return { missingUs: Math.min(Math.max(0, aheadUs), emptyUs), tokenUs, isAhead: aheadUs > emptyUs };
  }
}
