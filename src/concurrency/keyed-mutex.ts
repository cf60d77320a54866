/** A mutex per key, with a limited wait. Keys that are neither held nor waited for take no memory. */
import { settlesWithin } from './deadline.ts';

export interface AcquireOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** What is thrown after the timeout. */
  readonly timeoutError: () => Error;
}

export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>();

  /** Resolves to the function that releases the mutex. Throws the timeout error, or the reason of the signal. */
  async acquire(key: string, { timeoutMs, signal, timeoutError }: AcquireOptions): Promise<() => void> {
    const before = this.#last.get(key);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const last = before ? before.then(() => held) : held;
    this.#last.set(key, last);
    void last.then(() => {
      if (this.#last.get(key) === last) this.#last.delete(key);
    });
    try {
      if (before && !(await settlesWithin(before, timeoutMs, signal))) {
        signal.throwIfAborted();
        throw timeoutError();
      }
      return release;
    } catch (error) {
      // The next in the queue still waits for those before this one.
      release();
      throw error;
    }
  }
}
