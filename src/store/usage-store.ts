/**
 * Usage: counters of limits, request tallies, the last query of each list, and signatures already used. Every process writes it with every
 * counted request, so it is separate from the accounts, which rarely change.
 */
import type { CountedLimit } from '../model/account/limit.ts';

/** The charge of one request: granted if no limit is exhausted, and then counted once in each limit and in the tally. */
export interface Charge {
  readonly limits: readonly CountedLimit[];
  /** Adds to an owner's daily and monthly requests for an item, such as an account's requests for a product. */
  readonly tally?: { readonly owner: string; readonly item: string };
  /** One of the limits: the outcome includes what it has left directly after this charge, regardless of concurrent charges. */
  readonly remainingOf?: CountedLimit;
  /** Stored if the charge is granted, replacing an earlier text of that name. */
  readonly savedText?: { readonly name: string; readonly text: string };
}

export type ChargeOutcome =
  | { readonly granted: true; readonly remaining?: number }
  /** Of several exhausted limits, the one that stays exhausted the longest. `retryAfterMs` is absent if waiting does not help. */
  | { readonly granted: false; readonly refusedBy: CountedLimit; readonly retryAfterMs?: number };

/** Something that can be used a limited number of times until it expires, such as a signature. */
export interface Claim {
  readonly id: Buffer;
  readonly usesMax: number;
}

export interface Tally {
  readonly today: number;
  readonly month: number;
}

export interface UsageStore {
  /** Atomic across processes: a limit of 1000 grants exactly 1000. A refused charge counts nothing. */
  charge(charge: Charge, nowMs: number): Promise<ChargeOutcome>;

  /** What each limit has left. Does not count as usage. */
  remainingOf(limits: readonly CountedLimit[], nowMs: number): Promise<readonly number[]>;

  /**
   * An owner's requests of the current UTC day and month by item; items without requests are absent. Returns the same map object as long
   * as nothing has changed.
   */
  talliesOf(owner: string, nowMs: number): Promise<ReadonlyMap<string, Tally>>;

  /** The text saved by the last granted charge with this name, in any process. */
  findSavedText(name: string): Promise<string | undefined>;

  /**
   * Counts one use of every claim; false, and counts none, if one of them was used as often as it may. Atomic across all processes. The
   * uses of an id are forgotten when it expires.
   */
  claim(claims: readonly Claim[], expiresMs: number, nowMs: number): Promise<boolean>;

  /** Takes back one use of each id, for a request that turned out to have no effect. */
  releaseClaims(ids: readonly Buffer[]): Promise<void>;

  /** Deletes counters that no window covers any more. */
  pruneUsage(nowMs: number): Promise<void>;

  close(): Promise<void>;
}
