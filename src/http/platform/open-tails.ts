/** Answers of this process that go on and on: how many each user has, and their end when the server stops. */
import { Problem } from '../../model/problem.ts';

export class OpenTails {
  readonly #max: number;
  readonly #what: string;
  readonly #open = new Map<string, Set<AbortController>>();
  #closing = false;

  /** `what` they are called. */
  constructor(max: number, what: string) {
    this.#max = max;
    this.#what = what;
  }

  /** What it gives ends the tail. */
  add(user: string): AbortController {
    const tails = this.#open.get(user) ?? new Set();
    if (tails.size >= this.#max) {
      throw new Problem(
        'too-many-connections',
        `The user has ${tails.size} ${this.#what} open, and may not have more.`,
      );
    }
    const tail = new AbortController();
    if (this.#closing) tail.abort();
    this.#open.set(user, tails.add(tail));
    return tail;
  }

  remove(user: string, tail: AbortController): void {
    const tails = this.#open.get(user);
    tails?.delete(tail);
    if (tails?.size === 0) this.#open.delete(user);
  }

  endAll(): void {
    this.#closing = true;
    for (const tails of this.#open.values()) for (const tail of tails) tail.abort();
  }
}
