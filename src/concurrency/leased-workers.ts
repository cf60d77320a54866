/**
 * The one loop over leased work: polls for due items, leases as many as concurrency and rate allow, performs them, and completes, fails or
 * releases each. An item whose process died is leased again when its lease expires, so performing must be idempotent.
 */
import { setTimeout as pause, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { withDeadline } from './deadline.ts';
import { RateLimiter } from './rate-limiter.ts';

/** An item may be a whole batch; then `lease` decides how large it is. */
export interface LeasedWork<Item, Result = void> {
  /** Items under way at the same time, without those that wait for the end of a shared write: of these there may be as many again. */
  readonly concurrency: number;
  /** Items begun within any second; unlimited unless given. */
  readonly maxPerSecond?: number;
  /** Performing an item fails with `DeadlineExceeded` after this time. */
  readonly deadlineMs?: number;
  readonly pollMs?: number;
  /** How long until an item is due, where that is cheaper to read than a lease is to write. */
  readonly msUntilDue?: () => Promise<number>;
  /** Up to `limit` due items, which no other process gets until the lease expires. */
  readonly lease: (limit: number) => Promise<readonly Item[]>;
  /** `makeRoom` lets another item begin, once this one has only to wait. */
  readonly perform: (item: Item, signal: AbortSignal, makeRoom: () => void) => Promise<Result>;
  readonly complete?: (item: Item, result: Result) => Promise<void>;
  /** Performing threw, or exceeded its deadline; `onFailure` unless given. */
  readonly fail?: (item: Item, error: unknown) => Promise<void>;
  /** The loop stopped before the item was done. Without it, work under way ends as it likes. */
  readonly release?: (item: Item) => Promise<void>;
  /** Error callback. The item is leased again when its lease expires. */
  readonly onFailure: (error: unknown) => void;
}

export interface LeasedWorkers {
  readonly active: number;
  /** Aborts the signal of what is under way, and waits for it to end. */
  close(): Promise<void>;
}

const usualPollMs = 1000;
/** Why a wait is over; nobody sees it. */
const itemEnded = new Error('an item has ended');
/** Items that end at nearly the same time make room for one lease of several. */
const gatherMs = 20;
/** For work to end by itself after its deadline. */
const graceMs = 1000;

/** Runs until closed. */
export function startLeasedWorkers<Item, Result = void>(work: LeasedWork<Item, Result>): LeasedWorkers {
  const { onFailure, pollMs = usualPollMs } = work;
  const stopping = new AbortController();
  let wake = new AbortController();
  const pool = new Pool(work, stopping.signal, () => {
    // Each call would make an error with a stack.
    if (!wake.signal.aborted) wake.abort(itemEnded);
  });
  const run = async () => {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      const waitMs = await pool.beginDue().catch((error: unknown) => {
        onFailure(error);
        return pollMs;
      });
      await pause(waitMs, undefined, { signal: wake.signal, ref: false }).catch(() => undefined);
      await pause(gatherMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    get active() {
      return pool.active.size;
    },
    close: async () => {
      stopping.abort();
      wake.abort();
      await running;
      await Promise.all(pool.active);
    },
  };
}

/** Runs until nothing is due, or the signal. The first error of a lease, or of an item that nothing handles, ends it and is thrown. */
export async function drainLeasedWork<Item, Result = void>(
  work: Omit<LeasedWork<Item, Result>, 'maxPerSecond' | 'pollMs' | 'onFailure'>,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const failures: unknown[] = [];
  const pool = new Pool({ ...work, onFailure: (error) => failures.push(error) }, signal);
  try {
    while (!signal.aborted && failures.length === 0) {
      const waitMs = await pool.beginDue();
      if (pool.active.size > 0) await Promise.race(pool.active);
      else if (waitMs > 0) break;
    }
  } finally {
    await Promise.all(pool.active);
  }
  if (failures.length > 0) throw failures[0];
}

class Pool<Item, Result> {
  readonly active = new Set<Promise<void>>();
  /** Without those that have made room. */
  #working = 0;
  readonly #work: LeasedWork<Item, Result>;
  readonly #signal: AbortSignal;
  readonly #onEnd: () => void;
  readonly #limiter: RateLimiter;

  constructor(work: LeasedWork<Item, Result>, signal: AbortSignal, onEnd: () => void = () => undefined) {
    this.#work = work;
    this.#signal = signal;
    this.#onEnd = onEnd;
    this.#limiter = new RateLimiter(work.maxPerSecond ?? Number.POSITIVE_INFINITY);
  }

  /** Begins what is due and fits; how long to wait before the next call unless an item ends before. */
  async beginDue(): Promise<number> {
    const { concurrency, pollMs = usualPollMs, msUntilDue, lease } = this.#work;
    const room = Math.min(concurrency - this.#working, 2 * concurrency - this.active.size);
    if (room <= 0) return pollMs;
    const limit = Math.min(room, this.#limiter.available(performance.now()));
    if (limit <= 0) return this.#limiter.waitMs(performance.now());
    const dueInMs = msUntilDue ? await msUntilDue() : 0;
    if (dueInMs > 0) return Math.min(dueInMs, pollMs);
    const items = await lease(limit);
    this.#limiter.record(items.length, performance.now());
    for (const item of items) {
      this.#begin(item);
      // The first steps of many items would block the event loop.
      await yieldToEventLoop();
    }
    return items.length > 0 ? 0 : pollMs;
  }

  #begin(item: Item): void {
    let isWorking = true;
    this.#working += 1;
    const makeRoom = () => {
      if (!isWorking) return;
      isWorking = false;
      this.#working -= 1;
      this.#onEnd();
    };
    const ended = this.#run(item, makeRoom)
      .catch(this.#work.onFailure)
      .finally(() => {
        this.active.delete(ended);
        makeRoom();
        this.#onEnd();
      });
    this.active.add(ended);
  }

  async #run(item: Item, makeRoom: () => void): Promise<void> {
    const { perform, complete, fail, release, onFailure, deadlineMs } = this.#work;
    if (release && this.#signal.aborted) return release(item);
    let result: Result;
    try {
      result = await (deadlineMs === undefined
        ? perform(item, this.#signal, makeRoom)
        : withDeadline((signal) => perform(item, signal, makeRoom), {
            stop: this.#signal,
            deadlineMs,
            graceMs,
          }));
    } catch (error) {
      if (release && this.#signal.aborted) return release(item);
      return fail ? fail(item, error) : onFailure(error);
    }
    await complete?.(item, result);
  }
}
