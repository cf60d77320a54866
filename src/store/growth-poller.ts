/** Notifies waiters that something has grown. However many wait for it, it is polled once per interval. */
import { setTimeout as pause } from 'node:timers/promises';

/** The current end of what has this name: a stream, the events of an account. */
type FindEnd = (name: string) => Promise<number>;

interface Waiter {
  readonly beyond: number;
  resolve(end: number): void;
  fail(error: unknown): void;
}

export class GrowthPoller {
  readonly #findEnd: FindEnd;
  readonly #intervalMs: number;
  readonly #waiting = new Map<string, Set<Waiter>>();

  constructor(findEnd: FindEnd, intervalMs: number) {
    this.#findEnd = findEnd;
    this.#intervalMs = intervalMs;
  }

  /** The end as soon as it is greater than `beyond`; `beyond` itself after `waitMs`, and when the signal aborts. */
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
        resolve: (end) => {
          stop();
          resolve(end);
        },
        fail: (error) => {
          stop();
          reject(error);
        },
      };
      const giveUp = () => waiter.resolve(beyond);
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
    void this.#poll(name);
  }

  /** Polls while there are waiters and once more, so that a waiter that comes right back joins the running loop. */
  async #poll(name: string): Promise<void> {
    const waiting = this.#waiting.get(name) as Set<Waiter>;
    for (let idle = false; !idle; idle = waiting.size === 0) {
      try {
        const end = await this.#findEnd(name);
        for (const waiter of waiting) if (waiter.beyond < end) waiter.resolve(end);
      } catch (error) {
        for (const waiter of waiting) waiter.fail(error);
      }
      await pause(this.#intervalMs, undefined, { ref: false });
    }
    this.#waiting.delete(name);
  }
}
