/** A rate limiter by the sliding-window-log algorithm: no more than a number of starts within any one second. */
export class RateLimiter {
  readonly #perSecond: number;
  #window: { readonly atMs: number; readonly count: number }[] = [];

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** How many may start now. */
  available(nowMs: number): number {
    this.#window = this.#window.filter(({ atMs }) => nowMs - atMs < 1000);
    return this.#perSecond - this.#window.reduce((sum, { count }) => sum + count, 0);
  }

  record(count: number, nowMs: number): void {
    if (count > 0) this.#window.push({ atMs: nowMs, count });
  }

  /** How long until more are available when none are. */
  waitMs(nowMs: number): number {
    const oldest = this.#window[0];
    return oldest ? Math.max(0, oldest.atMs + 1000 - nowMs) : 0;
  }
}
