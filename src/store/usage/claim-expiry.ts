/**
 * When expired claims may be deleted: by the earliest time that it can be, so that a clock that was ahead for less than an hour and is set
 * back finds the claims again. After an hour what was claimed has expired on the right clock, too.
 */
import { EarliestNow } from '../../concurrency/earliest-now.ts';
import { hourMs } from '../../model/durations.ts';

export class ClaimExpiry {
  readonly #earliestNow: EarliestNow;
  /** Claims that live longer than an hour are kept for as long as they live. */
  #keepMs = hourMs;

  constructor(monotonicMs: () => number) {
    this.#earliestNow = new EarliestNow(monotonicMs);
  }

  noteClaim(expiresMs: number, nowMs: number): void {
    this.#keepMs = Math.max(this.#keepMs, expiresMs - nowMs);
    this.#earliestNow.read(nowMs, this.#keepMs);
  }

  /** What expired before may be deleted; undefined until the process has run for an hour: what the clock was before is not known. */
  expiredBefore(nowMs: number): number | undefined {
    const earliestMs = this.#earliestNow.read(nowMs, this.#keepMs);
    return this.#earliestNow.covers(this.#keepMs) ? earliestMs : undefined;
  }
}
