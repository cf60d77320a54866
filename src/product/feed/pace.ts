/** Work on many lines shares the event loop: a few milliseconds of it, then everybody else has a turn. */
import { setImmediate as turn } from 'node:timers/promises';

const turnMs = 4;

export class Pace {
  #endsAt = performance.now() + turnMs;

  /** A promise to be awaited where the turn is over. */
  over(): Promise<void> | undefined {
    return performance.now() < this.#endsAt ? undefined : this.#rest();
  }

  async #rest(): Promise<void> {
    await turn();
    this.#endsAt = performance.now() + turnMs;
  }
}
