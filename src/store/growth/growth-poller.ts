/**
 * Notifies waiters that something has grown. However many wait for it, it is polled once per interval. Where the store signals growth, it is polled
 * then, and rarely otherwise.
 */
import { secondMs } from '../../model/durations.ts';
import type { ChangeSignals } from './change-signals.ts';
import { Wakeable } from './wakeable.ts';

/** The current end of what has this name: a stream, the events of an account. */
type FindEnd = (name: string) => Promise<number>;

interface Signalling {
  readonly growth?: ChangeSignals;
}

interface Waiter {
  readonly beyond: number;
  resolve(end: number): void;
  fail(error: unknown): void;
}

interface Watched {
  readonly waiters: Set<Waiter>;
  readonly sleep: Wakeable;
  /** At the last poll. */
  end: number;
}

/** Between polls while signals arrive: one may be lost where a server fails over. */
const signalledIntervalMs = 5 * secondMs;
/** What grows all the time is polled no more often than this. */
const shortestMs = 10;

export class GrowthPoller {
  readonly #findEnd: FindEnd;
  readonly #intervalMs: number;
  readonly #store: Signalling;
  readonly #watched = new Map<string, Watched>();
  #stopListening: (() => void) | undefined;

  /** Of the store nothing is read before the first wait. */
  constructor(findEnd: FindEnd, intervalMs: number, store: Signalling = {}) {
    this.#findEnd = findEnd;
    this.#intervalMs = intervalMs;
    this.#store = store;
  }

  /** The end as soon as it is greater than `beyond`; `beyond` itself after `waitMs`, and when the signal aborts. */
  wait(name: string, beyond: number, waitMs: number, signal: AbortSignal): Promise<number> {
    const known = this.#watched.get(name)?.end ?? 0;
    if (signal.aborted || known > beyond) return Promise.resolve(signal.aborted ? beyond : known);
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        this.#watched.get(name)?.waiters.delete(waiter);
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
    const watched = this.#watched.get(name);
    if (watched) {
      watched.waiters.add(waiter);
      return;
    }
    this.#stopListening ??= this.#store.growth?.listen((grown) => this.#wake(grown));
    const added = { waiters: new Set([waiter]), sleep: new Wakeable(), end: 0 };
    this.#watched.set(name, added);
    void this.#poll(name, added);
  }

  #wake(grown: string): void {
    for (const [name, { sleep }] of this.#watched) if (grown === '' || grown === name) sleep.wake();
  }

  /** Polls while there are waiters and once more, so that a waiter that comes right back joins the running loop. */
  async #poll(name: string, watched: Watched): Promise<void> {
    const { waiters, sleep } = watched;
    for (let idle = false; !idle; idle = waiters.size === 0) {
      sleep.begin();
      try {
        const end = await this.#findEnd(name);
        watched.end = end;
        for (const waiter of waiters) if (waiter.beyond < end) waiter.resolve(end);
      } catch (error) {
        for (const waiter of waiters) waiter.fail(error);
      }
      const isSignalled = this.#store.growth?.isConnected() === true;
      await sleep.untilWoken(isSignalled ? signalledIntervalMs : this.#intervalMs, shortestMs);
    }
    this.#watched.delete(name);
    if (this.#watched.size > 0) return;
    this.#stopListening?.();
    this.#stopListening = undefined;
  }
}
