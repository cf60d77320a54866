/**
 * The domains on accounts' lists: those that monitors discovered, what their records say, and whether a user watches or ignores them.
 * A change and the events it causes (`event-store.ts`) become durable in one transaction. Every operation is scoped to one account
 * unless it says otherwise; an id of another account is treated as unknown.
 */
import type {
  DomainFacts,
  DomainState,
  EscalationType,
  MonitorMatch,
  WatchlistDomain,
  WatchlistId,
} from '../model/detect/watchlist.ts';

import type { ListPaging } from './paging/list-paging.ts';
import type { LogPosition } from './paging/log-position.ts';

export type DomainSort = 'discovered_date' | 'changed_date' | 'risk_score';

/** All given conditions must hold. `…Since` is inclusive, `…Before` is exclusive. */
export interface DomainQuery {
  readonly state: DomainState;
  readonly monitorId?: WatchlistId;
  readonly escalationTypes?: readonly EscalationType[];
  /** Any of these; `uk` includes `co.uk`. */
  readonly tlds?: readonly string[];
  readonly riskRanges?: readonly (readonly [from: number, to: number])[];
  readonly mxExists?: boolean;
  readonly active?: boolean;
  /** Whether our own sensors saw it resolved. */
  readonly resolvedByUs?: boolean;
  readonly discoveredSinceMs?: number;
  readonly discoveredBeforeMs?: number;
  readonly changedSinceMs?: number;
  readonly changedBeforeMs?: number;
  readonly escalatedSinceMs?: number;
  /** A substring of the name in punycode or Unicode, in lower case. */
  readonly search?: string;
  readonly sort: readonly DomainSort[];
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** A domain that monitors of one account matched. */
export interface Discovery {
  readonly accountId: string;
  /** Punycode. */
  readonly domain: string;
  readonly tld: string;
  readonly discoveredMs: number;
  readonly matches: readonly MonitorMatch[];
  /** From its record; undefined if it has none yet. */
  readonly facts: DomainFacts | undefined;
  /** When DNS or registration data of its record last changed, if it ever did. */
  readonly changedMs?: number;
}

/** The current content of a domain's record; applies to every account that has the domain on a list. */
export interface RecordChange {
  readonly domain: string;
  readonly facts: DomainFacts;
  /** The DNS and registration members that changed, and when; undefined if none did. */
  readonly changed: { readonly atMs: number; readonly fields: readonly string[] } | undefined;
}

/** How many of some domains an account has decided about; one domain may count in several. */
export interface DecidedCounts {
  readonly watched: number;
  readonly ignored: number;
  readonly escalated: number;
}

export interface WatchlistStore {
  /**
   * Idempotent: each domain is listed once per account. A domain that is already listed keeps its state and time of discovery, and gains
   * the matches it lacks. One that left the lists with its monitor comes back with its id and with what was decided about it. Returns the
   * domains about which nothing was known.
   */
  addDiscoveries(
    discoveries: readonly Discovery[],
  ): Promise<readonly { readonly accountId: string; readonly domain: string }[]>;

  /**
   * Applies record changes and moves the checkpoint in the update log of records, in one transaction. False, and nothing is
   * applied, if the checkpoint is not at `from`. Only watched domains get a `changed` event.
   */
  applyRecordChanges(
    changes: readonly RecordChange[],
    checkpoint: { readonly from: LogPosition; readonly to: LogPosition },
    nowMs: number,
  ): Promise<boolean>;

  /** How far into the update log `applyRecordChanges` has got. */
  recordChangesCheckpoint(): Promise<LogPosition>;

  /** Those of the given domains that are on a list of any account. */
  findListedDomains(domains: readonly string[]): Promise<ReadonlySet<string>>;

  /** By its name in punycode; undefined if no monitor of the account matches it. */
  findDomainNamed(accountId: string, domain: string): Promise<WatchlistDomain | undefined>;

  /** Of these domains, also those that no monitor matches any more. */
  countDecided(accountId: string, domains: readonly string[]): Promise<DecidedCounts>;

  /** Domains watched by any account, each once, in order of name, after the given name. */
  listWatchedNames(after: string, limit: number): Promise<readonly string[]>;

  /** `unknown-monitor` if the query names a monitor that the account does not have. */
  listDomains(
    accountId: string,
    query: DomainQuery,
    paging?: ListPaging,
  ): Promise<{ readonly total: number; readonly domains: readonly WatchlistDomain[] } | 'unknown-monitor'>;

  /** Deletes what is no longer needed of undecided domains that left the lists with their monitor. */
  pruneUnmatchedDomains(nowMs: number): Promise<void>;

  /** All or nothing. Returns the domains in the order given, or the ids that the account does not have. */
  triageDomains(
    accountId: string,
    ids: readonly WatchlistId[],
    state: Extract<DomainState, 'watched' | 'ignored'>,
    by: { readonly username: string; readonly atMs: number },
  ): Promise<
    { readonly domains: readonly WatchlistDomain[] } | { readonly unknownIds: readonly WatchlistId[] }
  >;
}
