/**
 * What has been used: counters of limits, tallies of requests, what was last asked, and signatures seen. Written at every counted request,
 * by every process, so it is kept apart from the accounts, which hardly ever change.
 */
import type { CountedLimit } from '../model/limit.ts';

/** One request's claim: it is granted when every limit has room, and then counted once in each limit and in the tally. */
export interface Draw {
  readonly limits: readonly CountedLimit[];
  /** Adds to the owner's requests of the day and the month for one item, such as an account's for a product. */
  readonly tally?: { readonly owner: string; readonly item: string };
  /** One of the limits: the outcome tells what it has left behind this very draw, whatever is drawn beside it. */
  readonly remainingOf?: CountedLimit;
  /** What a granted draw leaves behind, in place of an earlier mark of that name. */
  readonly mark?: { readonly name: string; readonly text: string };
}

export type DrawOutcome =
  | { readonly granted: true; readonly remaining?: number }
  /** Of several limits without room the one that stays so the longest. `retryAfterMs` is absent where time does not help. */
  | { readonly granted: false; readonly refusedBy: CountedLimit; readonly retryAfterMs?: number };

export interface Tally {
  readonly today: number;
  readonly month: number;
}

export interface UsageStore {
  /** Atomic over all processes: a limit of 1000 grants exactly 1000. A refused draw counts nothing. */
  draw(draw: Draw, nowMs: number): Promise<DrawOutcome>;

  /** What each limit has left. Reading is free. */
  remainingOf(limits: readonly CountedLimit[], nowMs: number): Promise<readonly number[]>;

  /**
   * An owner's requests of the current UTC day and month by item; an item without any is absent. Reading is free, and
   * gives the same map as long as nothing has changed.
   */
  talliesOf(owner: string, nowMs: number): Promise<ReadonlyMap<string, Tally>>;

  /** What the last granted draw with a mark of this name left, in whichever process it was. Reading is free. */
  findMark(name: string): Promise<string | undefined>;

  /** True for the first claim of an id until it expires, in whichever process it is made. */
  claimOnce(id: Buffer, expiresMs: number, nowMs: number): Promise<boolean>;

  /** Forgets what no window can reach any more. */
  prune(nowMs: number): Promise<void>;

  close(): Promise<void>;
}
