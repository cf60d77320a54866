/** The event streams that this process has open: a limit per user, and an end to all of them when the server stops. */
import { Problem } from '../../../model/problem.ts';

export class OpenStreams {
  readonly #perUserMax: number;
  readonly #noun: string;
  readonly #byUser = new Map<string, Set<AbortController>>();
  #closing = false;

  /** `noun` names them in the error message, as `event streams`. */
  constructor(perUserMax: number, noun: string) {
    this.#perUserMax = perUserMax;
    this.#noun = noun;
  }

  /** Returns the controller that ends the stream. */
  add(userId: string): AbortController {
    const streams = this.#byUser.get(userId) ?? new Set();
    if (streams.size >= this.#perUserMax) {
      throw new Problem(
        'too-many-connections',
        `The user already has ${streams.size} ${this.#noun} open, which is the limit.`,
      );
    }
    const stream = new AbortController();
    if (this.#closing) stream.abort();
    this.#byUser.set(userId, streams.add(stream));
    return stream;
  }

  remove(userId: string, stream: AbortController): void {
    const streams = this.#byUser.get(userId);
    streams?.delete(stream);
    if (streams?.size === 0) this.#byUser.delete(userId);
  }

  endAll(): void {
    this.#closing = true;
    for (const streams of this.#byUser.values()) for (const stream of streams) stream.abort();
  }
}
