/** Token buckets: the table `bucket` has for each the time at which it will be full again (`../../usage/bucket-state.ts`). */
import type { CountedLimit } from '../../../model/account/limit.ts';
import { bucketState } from '../../usage/bucket-state.ts';
import { counterOf } from '../../usage/counter-of.ts';
import type { Database } from '../database.ts';

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

  #stateOf(limit: CountedLimit, perSecond: number, nowMs: number) {
    const fullUs = (this.#full.get(counterOf(limit)) as number | undefined) ?? 0;
    return bucketState(fullUs, { size: limit.size, perSecond }, nowMs);
  }
}
