/** Tells who waits for it that a stream has grown. However many wait for one stream, it is asked for once in a while. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Offset, StreamName, StreamStore } from '../../store/stream-store.ts';

interface Waiter {
  readonly beyond: Offset;
  tell(end: Offset): void;
  fail(error: unknown): void;
}

export class Growth {
  readonly #streams: Pick<StreamStore, 'findState'>;
  readonly #pauseMs: number;
  readonly #waiting = new Map<StreamName, Set<Waiter>>();

  constructor(streams: Pick<StreamStore, 'findState'>, pauseMs: number) {
    this.#streams = streams;
    this.#pauseMs = pauseMs;
  }

  /** The end of a stream as soon as it lies beyond a place; the place itself after `waitMs`, and when the wait is ended. */
  wait(stream: StreamName, beyond: Offset, waitMs: number, signal: AbortSignal): Promise<Offset> {
    if (signal.aborted) return Promise.resolve(beyond);
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        this.#waiting.get(stream)?.delete(waiter);
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
      this.#add(stream, waiter);
    });
  }

  #add(stream: StreamName, waiter: Waiter): void {
    const others = this.#waiting.get(stream);
    if (others) {
      others.add(waiter);
      return;
    }
    this.#waiting.set(stream, new Set([waiter]));
    void this.#look(stream);
  }

  /** Looks as long as anybody waits, and once more, so that a reader who comes right back is not kept by a new look. */
  async #look(stream: StreamName): Promise<void> {
    const waiting = this.#waiting.get(stream) as Set<Waiter>;
    for (let idle = false; !idle; idle = waiting.size === 0) {
      try {
        const end = (await this.#streams.findState(stream))?.end ?? 0;
        for (const waiter of waiting) if (waiter.beyond < end) waiter.tell(end);
      } catch (error) {
        for (const waiter of waiting) waiter.fail(error);
      }
      await pause(this.#pauseMs, undefined, { ref: false });
    }
    this.#waiting.delete(stream);
  }
}
