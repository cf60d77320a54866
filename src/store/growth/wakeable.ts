/** A pause that may be cut short. */
import { setTimeout as pause } from 'node:timers/promises';

export class Wakeable {
  #waking = new AbortController();

  /** From here on a call of `wake` counts for the next pause, also if it comes before it. */
  begin(): void {
    this.#waking = new AbortController();
  }

  wake(): void {
    this.#waking.abort();
  }

  /** At least `shortestMs`, and if it is not woken `longestMs`. */
  async untilWoken(longestMs: number, shortestMs: number): Promise<void> {
    const { signal } = this.#waking;
    await pause(Math.min(shortestMs, longestMs), undefined, { ref: false });
    if (longestMs > shortestMs)
      await pause(longestMs - shortestMs, undefined, { ref: false, signal }).catch(() => undefined);
  }
}
