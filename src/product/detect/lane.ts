/**
 * Work that is taken on lease, some pieces at once. Each goes at its own pace: one that waits for somebody slow holds up nobody else
 * as long as there is room for others.
 */
import { setTimeout as pause } from 'node:timers/promises';

export interface LaneWork<Item> {
  readonly atOnceMax: number;
  /** Up to so many that are due, and nobody else's until the lease is over. */
  readonly lease: (limit: number) => Promise<readonly Item[]>;
  readonly work: (item: Item, signal: AbortSignal) => Promise<void>;
  /** Hears of what went wrong. The item is leased again when its lease is over. */
  readonly onFailure: (error: unknown) => void;
  readonly lookMs: number;
}

export interface Lane {
  /** Gives up what is under way. */
  close(): Promise<void>;
}

export function startLane<Item>({ atOnceMax, lease, work, onFailure, lookMs }: LaneWork<Item>): Lane {
  const stopping = new AbortController();
  const { signal } = stopping;
  const underWay = new Set<Promise<void>>();
  let wake = new AbortController();

  const begin = (item: Item) => {
    const done = work(item, signal)
      .catch(onFailure)
      .finally(() => {
        underWay.delete(done);
        // Whoever has more to do has it done without a pause.
        wake.abort();
      });
    underWay.add(done);
  };
  const run = async () => {
    while (!signal.aborted) {
      wake = new AbortController();
      try {
        const room = atOnceMax - underWay.size;
        if (room > 0) for (const item of await lease(room)) begin(item);
      } catch (error) {
        onFailure(error);
      }
      await pause(lookMs, undefined, { signal: wake.signal, ref: false }).catch(() => undefined);
    }
  };
  const running = run();

  return {
    close: async () => {
      stopping.abort();
      wake.abort();
      await running;
      await Promise.all(underWay);
    },
  };
}
