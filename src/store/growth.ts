/** Tells who waits for it that something has grown. However many wait for one thing, it is asked for once in a while. */
import { setTimeout as pause } from 'node:timers/promises';

/** The end of the thing that is called so: a stream, the events of an account. */
type FindEnd = (name: string) => Promise<number>;

interface Waiter {
  readonly beyond: number;
  tell(end: number): void;
  fail(error: unknown): void;
}

export class Growth {
  readonly #findEnd: FindEnd;
  readonly #pauseMs: number;
  readonly #waiting = new Map<string, Set<Waiter>>();

  constructor(findEnd: FindEnd, pauseMs: number) {
    this.#findEnd = findEnd;
    this.#pauseMs = pauseMs;
  }

  /** The end as soon as it lies beyond a place; the place itself after `waitMs`, and when the wait is ended. */
  wait(name: string, beyond: number, waitMs: number, signal: AbortSignal): Promise<number> {
    if (signal.aborted) return Promise.resolve(beyond);
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        this.#waiting.get(name)?.delete(waiter);
      };
      const waiter: Waiter = {
        beyond,
        tell: (end) => {
          stop();
          resolve(end);
        },
        fail: (error) => {
          stop();
          reject(error);
        },
      };
      const giveUp = () => waiter.tell(beyond);
      const timer = setTimeout(giveUp, waitMs);
      signal.addEventListener('abort', giveUp);
      this.#add(name, waiter);
    });
  }

  #add(name: string, waiter: Waiter): void {
    const others = this.#waiting.get(name);
    if (others) {
      others.add(waiter);
      return;
    }
    this.#waiting.set(name, new Set([waiter]));
    void this.#look(name);
  }

  /** Looks as long as anybody waits, and once more, so that a reader who comes right back is not kept by a new look. */
  async #look(name: string): Promise<void> {
    const waiting = this.#waiting.get(name) as Set<Waiter>;
    for (let idle = false; !idle; idle = waiting.size === 0) {
      try {
        const end = await this.#findEnd(name);
        for (const waiter of waiting) if (waiter.beyond < end) waiter.tell(end);
      } catch (error) {
        for (const waiter of waiting) waiter.fail(error);
      }
      await pause(this.#pauseMs, undefined, { ref: false });
    }
    this.#waiting.delete(name);
  }
}
