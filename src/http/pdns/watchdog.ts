/**
 * Checks all streamed responses with one timer, so that none needs its own: for clients that disconnected, searches that take
 * too long, and rows that have been buffered long enough.
 */

export interface Watched {
  /** `nowMs` is on a monotonic clock. */
  check(nowMs: number): void;
}

const intervalMs = 200;

export class Watchdog {
  readonly #watched = new Set<Watched>();
  readonly #timer = setInterval(() => {
    const nowMs = performance.now();
    for (const one of this.#watched) one.check(nowMs);
  }, intervalMs).unref();

  add(one: Watched): void {
    this.#watched.add(one);
  }

  delete(one: Watched): void {
    this.#watched.delete(one);
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
