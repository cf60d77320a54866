/**
 * Reputation data used for risk scores: verdicts of reputation lists about domains, and the links (shared infrastructure) of known bad
 * domains. Changes of verdicts are logged in order, and consumers keep checkpoints here, so that scoring misses none.
 */
import type { Link } from '../model/risk/proximity/link.ts';
import type { Verdict, VerdictLabel } from '../model/risk/verdict.ts';
import type { LogPosition } from './paging/log-position.ts';

/** One complete read of a list. Verdicts are added in batches, then `completeSnapshot` drops those of earlier snapshots. */
export interface ListSnapshot {
  readonly list: string;
  readonly label: VerdictLabel;
  readonly weight: number;
  /** Greater than the id of every earlier snapshot of the list. */
  readonly id: number;
  /** When its verdicts expire; undefined: when a later snapshot no longer contains them. */
  readonly untilMs: number | undefined;
}

export interface ListedDomain {
  /** A registrable domain in punycode. */
  readonly domain: string;
  readonly rank?: number;
}

export interface VerdictChange {
  readonly position: LogPosition;
  readonly domain: string;
}

/** The links of a known bad domain; empty if it is no longer bad. */
export interface BadLinks {
  readonly domain: string;
  readonly weight: number;
  readonly links: readonly Link[];
}

export interface BadCount {
  /** Known bad domains that share the link, and the greatest weight among them. */
  readonly domains: number;
  readonly weight: number;
}

export interface ReputationList {
  readonly list: string;
  readonly label: VerdictLabel;
  readonly domains: number;
  /** When the last snapshot was completed. */
  readonly readMs: number | undefined;
  /** Opaque to the store: identifies the version of the list that was read. */
  readonly checkpoint: string | undefined;
}

export interface RiskStore {
  /** Durable when this resolves. A domain that is already listed keeps its entry; only its expiry moves. */
  addListed(snapshot: ListSnapshot, domains: readonly ListedDomain[]): Promise<void>;

  /** Removes the domains of earlier snapshots that this one does not contain, unless they have an expiry. */
  completeSnapshot(snapshot: ListSnapshot, checkpoint: string | undefined, nowMs: number): Promise<void>;

  /** Deletes all lists but these, with their verdicts. */
  removeListsExcept(lists: readonly string[]): Promise<void>;

  /** Removes up to `limit` expired verdicts. Returns how many were removed. */
  removeExpired(nowMs: number, limit: number): Promise<number>;

  listLists(): Promise<readonly ReputationList[]>;

  /** In the order given, without expired verdicts. */
  findVerdicts(domains: readonly string[], nowMs: number): Promise<readonly (readonly Verdict[])[]>;

  /**
   * Domains whose verdicts changed, in order, after the given position. Changes of popularity ranks are not logged: they are too many and too
   * volatile.
   */
  listVerdictChanges(after: LogPosition, limit: number): Promise<readonly VerdictChange[]>;

  /** Deletes logged changes up to and including that of a position. */
  pruneVerdictChanges(upto: LogPosition): Promise<void>;

  /** In the order given; without links for a domain that has none stored. */
  findBadLinks(domains: readonly string[]): Promise<readonly BadLinks[]>;

  /** Replaces the links of each domain. Returns the links that a known bad domain gained or lost, or whose weight changed. */
  replaceBadLinks(domains: readonly BadLinks[]): Promise<readonly Link[]>;

  /** In the order given, not counting the domain `except`. */
  countBadDomains(
    asked: readonly { readonly link: Link; readonly except: string }[],
  ): Promise<readonly BadCount[]>;

  /** Some known bad domains that share a link, without the domain `except`. */
  listBadDomains(link: Link, except: string, limit: number): Promise<readonly string[]>;

  /** What a consumer last stored as its checkpoint, such as a position in a log; `logStart` initially. */
  findCheckpoint(consumer: string): Promise<string>;

  setCheckpoint(consumer: string, checkpoint: string): Promise<void>;

  /** All of them, by consumer, or none. */
  setCheckpoints(checkpoints: Readonly<Record<string, string>>): Promise<void>;

  statistics(): Promise<{
    readonly verdicts: number;
    readonly badDomains: number;
    readonly badLinks: number;
  }>;

  close(): Promise<void>;
}
