import { setImmediate } from 'node:timers/promises';

const turnMilliseconds = 5;

/**
 * Shares the event loop: all who hold the same `Turn` work for a few milliseconds together, then everything else in the
 * process has its turn.
 */
export class Turn {
  #endsAt = 0;
  #next: Promise<void> | undefined;

  /** A promise when the turn is over; await it and ask again, because others wait for the same next turn. */
  over(): Promise<void> | undefined {
    if (this.#next === undefined && performance.now() >= this.#endsAt) this.#next = this.#begin();
    return this.#next;
  }

  async #begin(): Promise<void> {
    await setImmediate();
    this.#next = undefined;
    this.#endsAt = performance.now() + turnMilliseconds;
  }
}
