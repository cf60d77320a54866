/**
 * What accounts watch: monitors, the domains that they found, what was decided about those, and what is to be told of it. Every
 * operation is one account's own; an id of another account is an id that does not exist. What an operation changes and the events
 * that say so become durable together.
 */
import type {
  DomainCounts,
  DomainFacts,
  DomainState,
  Escalation,
  EscalationType,
  EventKind,
  Monitor,
  MonitorMatch,
  MonitorSettings,
  Subscription,
  WatchlistDomain,
  WatchlistEvent,
  WatchlistId,
} from '../model/detect/watchlist.ts';

export type MonitorSort = 'term' | 'created_date' | 'domain_counts_changed' | 'domain_counts_discovered';
export type DomainSort = 'discovered_date' | 'changed_date' | 'risk_score';

export interface MonitorQuery {
  readonly sort: readonly MonitorSort[];
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
  /** Counts begin here; without it there are none. A sort by counts without it counts everything. */
  readonly countsSinceMs?: number;
}

export type CountedMonitor = Monitor & { readonly counts?: DomainCounts };

/** All that are given hold at once. Since is inclusive, before is exclusive. */
export interface DomainQuery {
  readonly state: DomainState;
  readonly monitorId?: WatchlistId;
  readonly escalationTypes?: readonly EscalationType[];
  readonly tlds?: readonly string[];
  readonly riskRanges?: readonly (readonly [from: number, to: number])[];
  readonly mxExists?: boolean;
  readonly active?: boolean;
  readonly discoveredSinceMs?: number;
  readonly discoveredBeforeMs?: number;
  readonly changedSinceMs?: number;
  readonly changedBeforeMs?: number;
  readonly escalatedSinceMs?: number;
  /** Part of the name, in punycode or in Unicode, lower case. */
  readonly search?: string;
  readonly sort: readonly DomainSort[];
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** All but the term may change. */
export type MonitorChange = Partial<Omit<MonitorSettings, 'term'> & Pick<Monitor, 'state'>>;

/** `updatedMs` is that of the monitor as it was when the search began, and says which settings were searched for. */
export interface SearchProgress {
  readonly names: number;
  readonly ofNames: number;
  readonly done: boolean;
  readonly updatedMs: number;
}

/** A monitor with the account that it belongs to, for those who match for all accounts at once. */
export interface ActiveMonitor {
  readonly accountId: string;
  readonly monitor: Monitor;
}

/** A name that monitors of one account found. */
export interface Discovery {
  readonly accountId: string;
  /** Punycode. */
  readonly domain: string;
  readonly tld: string;
  readonly discoveredMs: number;
  readonly matches: readonly MonitorMatch[];
  /** What its record says already; undefined where there is none. */
  readonly facts: DomainFacts | undefined;
}

/** What the record of a domain says now, for all accounts that have it on their lists. */
export interface DomainNews {
  readonly domain: string;
  readonly facts: DomainFacts;
  /** Members of DNS and registration that changed, and when; undefined where none did. */
  readonly changed: { readonly atMs: number; readonly fields: readonly string[] } | undefined;
}

export type Escalated =
  | { readonly outcome: 'escalated'; readonly escalations: readonly Escalation[] }
  | RefusedEscalation;

/** Nothing was recorded. */
export type RefusedEscalation =
  | { readonly outcome: 'unknown-ids'; readonly ids: readonly WatchlistId[] }
  | { readonly outcome: 'already-escalated'; readonly ids: readonly WatchlistId[] };

export type NewSubscription = Pick<
  Subscription,
  'by' | 'target' | 'events' | 'every' | 'seed' | 'createdBy' | 'createdMs' | 'nextMs'
>;

/** Settled for good unless waiting; then due again at `nextMs`. */
export interface SubmissionOutcome {
  readonly status: 'waiting' | 'submitted' | 'failed';
  readonly error?: string;
  readonly nextMs?: number;
  readonly atMs: number;
}

export interface SubscriptionOutcome {
  readonly toldId: number;
  readonly failures: number;
  readonly error?: string;
  readonly nextMs: number;
}

export interface WatchlistStore {
  createMonitor(
    accountId: string,
    settings: MonitorSettings,
    by: { readonly username: string; readonly atMs: number },
  ): Promise<Monitor>;

  /**
   * A wider search than before makes it pending again: substring variations, a text exclusion less (what it excludes is not even
   * matched), or active again. A narrower one takes away no match.
   * Exclusions decide anew about all that was matched. `updatedMs` rises with every change. Undefined where there is no such monitor.
   */
  updateMonitor(
    accountId: string,
    id: WatchlistId,
    change: MonitorChange,
    atMs: number,
  ): Promise<Monitor | undefined>;

  /** With all its matches; domains that no other monitor matched are gone with it. */
  deleteMonitor(accountId: string, id: WatchlistId): Promise<boolean>;

  findMonitor(accountId: string, id: WatchlistId): Promise<Monitor | undefined>;

  listMonitors(
    accountId: string,
    query: MonitorQuery,
  ): Promise<{ readonly total: number; readonly monitors: readonly CountedMonitor[] }>;

  /** Of all accounts. `version` rises with every change to monitors or own domains, from whichever process it comes. */
  listActiveMonitors(): Promise<{ readonly version: number; readonly monitors: readonly ActiveMonitor[] }>;

  monitorsVersion(): Promise<number>;

  /** How far the search for a new monitor has come; `done` completes it, unless its settings changed meanwhile. */
  noteSearch(accountId: string, id: WatchlistId, progress: SearchProgress): Promise<void>;

  /** Domains of the account's own, in punycode: neither they nor names below them are ever reported. */
  listOwnDomains(accountId: string): Promise<readonly string[]>;
  changeOwnDomains(
    accountId: string,
    change: { readonly add: readonly string[]; readonly remove: readonly string[] },
  ): Promise<readonly string[]>;
  /** Of all accounts. */
  listAllOwnDomains(): Promise<ReadonlyMap<string, readonly string[]>>;

  /**
   * Puts what was found on the lists: each domain once for each account, whenever and however often it is found. A domain that is
   * there already gets the matches that it lacks, and keeps its state and the time of its discovery. Gives those that were new.
   */
  discover(
    discoveries: readonly Discovery[],
  ): Promise<readonly { readonly accountId: string; readonly domain: string }[]>;

  /**
   * Takes over what records say, and how far in the log of updates that was, in one step: `place` moves from one number to the
   * next, and where it stands elsewhere nothing happens and the answer is false. Only watched domains change in the sense of Detect.
   */
  takeNews(
    news: readonly DomainNews[],
    place: { readonly from: number; readonly to: number },
    nowMs: number,
  ): Promise<boolean>;

  /** How far in the log of updates `takeNews` has come; 0 at first. */
  newsPlace(): Promise<number>;

  /** Which of these are on a list of any account, and whether one watches them. */
  findListed(domains: readonly string[]): Promise<ReadonlyMap<string, { readonly watched: boolean }>>;

  /** All watched domains of all accounts, each once, in order of name, after a name. */
  listWatchedNames(after: string, limit: number): Promise<readonly string[]>;

  /** `unknown-monitor` where the query names one that the account does not have. */
  listDomains(
    accountId: string,
    query: DomainQuery,
  ): Promise<{ readonly total: number; readonly domains: readonly WatchlistDomain[] } | 'unknown-monitor'>;

  /** All of them, in the order asked for, or none and the ids that the account does not have. */
  triage(
    accountId: string,
    ids: readonly WatchlistId[],
    state: Extract<DomainState, 'watched' | 'ignored'>,
    by: { readonly username: string; readonly atMs: number },
  ): Promise<
    { readonly domains: readonly WatchlistDomain[] } | { readonly unknownIds: readonly WatchlistId[] }
  >;

  /** Records the escalations, in the order asked for, and watches the domains: all of it or nothing. */
  escalate(
    accountId: string,
    ids: readonly WatchlistId[],
    type: EscalationType,
    by: { readonly username: string; readonly atMs: number },
  ): Promise<Escalated>;

  /** Why they could not be escalated now; undefined where they could. */
  findRefusal(
    accountId: string,
    ids: readonly WatchlistId[],
    type: EscalationType,
  ): Promise<RefusedEscalation | undefined>;

  /** Newest first; `beforeId` continues behind the last one of a page. */
  listEscalations(
    accountId: string,
    page: { readonly type?: EscalationType; readonly beforeId?: WatchlistId; readonly limit: number },
  ): Promise<readonly Escalation[]>;

  /** Names escalated as blocked, each once, in order, after a name. */
  listBlocked(
    accountId: string,
    after: string,
    limit: number,
  ): Promise<readonly { readonly domain: string; readonly sinceMs: number }[]>;

  /** Rises when the blocked names of the account change. */
  blockedVersion(accountId: string): Promise<number>;

  /** Part of what signs links to the account's blocklists; made anew, all earlier links are dead. */
  blocklistEdition(accountId: string): Promise<number>;
  renewBlocklistEdition(accountId: string): Promise<number>;

  /** Escalations that are due to be submitted outside, leased to the caller until then. */
  leaseSubmissions(
    limit: number,
    nowMs: number,
    untilMs: number,
  ): Promise<readonly (Escalation & { readonly accountId: string })[]>;
  settleSubmission(id: WatchlistId, outcome: SubmissionOutcome): Promise<void>;

  /** In order, after an id. Events older than the store keeps are not there. */
  listEvents(
    accountId: string,
    page: { readonly afterId: number; readonly limit: number; readonly kinds?: readonly EventKind[] },
  ): Promise<readonly WatchlistEvent[]>;
  /** The id of the last event of an account; 0 where there is none. */
  lastEventId(accountId: string): Promise<number>;
  pruneEvents(beforeMs: number): Promise<void>;

  /** Begins with what happens from now on. */
  createSubscription(accountId: string, subscription: NewSubscription): Promise<Subscription>;
  deleteSubscription(accountId: string, id: WatchlistId): Promise<boolean>;
  listSubscriptions(accountId: string): Promise<readonly Subscription[]>;
  /** Those whose time has come and that have something to tell, leased to the caller until then. */
  leaseSubscriptions(limit: number, nowMs: number, untilMs: number): Promise<readonly Subscription[]>;
  settleSubscription(id: WatchlistId, outcome: SubscriptionOutcome): Promise<void>;

  close(): Promise<void>;
}
