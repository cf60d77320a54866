/** Polls of one session in this process, one after another: whoever waits here need not ask the store again and again. */
import { Problem } from '../../model/problem.ts';

export class SessionTurns {
  readonly #last = new Map<string, Promise<void>>();

  /** Resolves when it is the caller's turn, to what is to be called when that is over. */
  async take(name: string, waitMs: number, signal: AbortSignal): Promise<() => void> {
    const before = this.#last.get(name);
    const { promise: own, resolve: over } = Promise.withResolvers<void>();
    const last = before ? before.then(() => own) : own;
    this.#last.set(name, last);
    void last.then(() => {
      if (this.#last.get(name) === last) this.#last.delete(name);
    });
    try {
      if (before) await within(before, waitMs, signal);
      return over;
    } catch (error) {
      // The next one then waits for those before.
      over();
      throw error;
    }
  }
}

/** Waits for something, but neither for ever nor for somebody who has gone. */
async function within(work: Promise<void>, waitMs: number, signal: AbortSignal): Promise<void> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const leave = () => reject(signal.reason);
  const timer = setTimeout(() => reject(sessionInUse()), waitMs);
  signal.addEventListener('abort', leave);
  try {
    signal.throwIfAborted();
    await Promise.race([work, ended]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
  }
}

export function sessionInUse(): Problem {
  return new Problem('unavailable', 'Another request of this session is still under way.');
}
