/**
 * Usage: counters of limits, request tallies, who used what on which day, the last query of each list, and signatures already used. Every process writes it with every
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

/** One request with a right key. */
export interface KeyUse {
  readonly accountId: string;
  /** Of an API user, or of a person. */
  readonly username: string;
  /** A product, `pdns`, `batch`, `free` for what counts against no limit, `refused` for what was refused, as by a limit. */
  readonly item: string;
  /** Where it was made with a key. The address is not read for every request. */
  readonly key?: { readonly userId: string; readonly client: { readonly ip: string } };
}

/** A right key was refused. */
export interface KeyRefusal {
  readonly atMs: number;
  readonly address: string;
  readonly why: 'expired' | 'address';
}

/** The last use of any key of a user, to the second, and the last refusal. */
export interface LastUse {
  readonly atMs?: number;
  readonly address?: string;
  readonly refused?: KeyRefusal;
}

export interface DailyUse {
  /** The first millisecond of the UTC day. */
  readonly dayMs: number;
  /** Empty where it was not recorded. */
  readonly username: string;
  readonly item: string;
  readonly used: number;
}

export interface UsageStore {
  /**
   * Atomic across processes and nodes: a limit of 1000 grants exactly 1000. A refused charge counts nothing, and none is counted twice, even if
   * a connection is lost before its outcome is known.
   */
  charge(charge: Charge, nowMs: number): Promise<ChargeOutcome>;

  /** What each limit has left. Does not count as usage. */
  remainingOf(limits: readonly CountedLimit[], nowMs: number): Promise<readonly number[]>;

  /**
   * An owner's requests of the current UTC day and month by item; items without requests are absent. Returns the same map object as long
   * as nothing has changed.
   */
  talliesOf(owner: string, nowMs: number): Promise<ReadonlyMap<string, Tally>>;

  /** The same without waiting, where the store is on this machine. */
  talliesOfSync?(owner: string, nowMs: number): ReadonlyMap<string, Tally>;

  /** The text saved by the last granted charge with this name, in any process. */
  findSavedText(name: string): Promise<string | undefined>;

  /**
   * Counts one use of every claim; false, and counts none, if one of them was used as often as it may. Atomic across all processes. The
   * uses of an id are forgotten when it expires.
   */
  claim(claims: readonly Claim[], expiresMs: number, nowMs: number): Promise<boolean>;

  /** Takes back one use of each id, for a request that turned out to have no effect. */
  releaseClaims(ids: readonly Buffer[]): Promise<void>;

  /**
   * Adds a use to the statistics. It is written within some seconds, with others: a process that is killed loses those, and no limit
   * depends on them.
   */
  noteUse(use: KeyUse, nowMs: number): void;

  /** Likewise, that a key was refused. */
  noteRefusal(userId: string, refusal: KeyRefusal): void;

  /** What an account used, by day, user and item, since a time: all of the last 40 days with requests. Includes what this process has noted. */
  dailyUses(accountId: string, fromMs: number): Promise<readonly DailyUse[]>;

  /** Users whose keys were never used are absent. */
  lastUses(userIds: readonly string[]): Promise<ReadonlyMap<string, LastUse>>;

  /** Deletes counters that no window covers any more. */
  pruneUsage(nowMs: number): Promise<void>;

  close(): Promise<void>;
}
