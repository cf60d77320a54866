/**
 * Watchlists as analysts work through them: lists with every filter, counts and facets, notes, assignees, and when each person last read
 * a list. Every operation is scoped to one account; an id of another account is treated as unknown.
 */
import type { DomainFacts, Monitor, WatchlistDomain, WatchlistId } from '../model/detect/watchlist.ts';
import type { Actor } from './decision-store.ts';
import type { ListPaging } from './paging/list-paging.ts';

/**
 * `changed`: watched domains whose record changed since they were watched. `blocked`: all that are on the blocklist, also those that no
 * monitor matches any more.
 */
export const triageLists = ['new', 'changed', 'watched', 'ignored', 'blocked'] as const;
export type TriageList = (typeof triageLists)[number];

export type TriageSort = 'risk' | 'newest' | 'name' | 'changed';

/** Values by which domains of a list are grouped. */
export type TriageAttribute =
  | 'class'
  | 'tld'
  | 'registrar'
  | 'name_server'
  | 'ip'
  | 'country'
  | 'certificate'
  | 'analytics'
  | 'monitor';

/** All given conditions must hold; of several values, any. */
export interface TriageFilter {
  readonly list: TriageList;
  readonly monitorIds?: readonly WatchlistId[];
  readonly classes?: readonly string[];
  /** `uk` includes `co.uk`. */
  readonly tlds?: readonly string[];
  readonly riskRanges?: readonly (readonly [from: number, to: number])[];
  /** Besides the ranges: domains without a score. */
  readonly isUnscored?: boolean;
  readonly mxExists?: boolean;
  /** Whether our own sensors saw it resolved. */
  readonly resolvedByUs?: boolean;
  /** A substring of the name in punycode or Unicode, in lower case. */
  readonly search?: string;
  readonly registrars?: readonly string[];
  /** Host names, or domains that have them. */
  readonly nameServers?: readonly string[];
  readonly addresses?: readonly string[];
  readonly countries?: readonly string[];
  readonly certificates?: readonly string[];
  readonly analytics?: readonly string[];
  /** Punycode. */
  readonly names?: readonly string[];
  readonly assignees?: readonly string[];
  /** Besides the assignees: domains of nobody. */
  readonly isUnassigned?: boolean;
  readonly ids?: readonly WatchlistId[];
  /** Came into the list at this time or later. */
  readonly arrivedSinceMs?: number;
  /** More conditions, on the same members too. */
  readonly narrowedBy?: Omit<TriageFilter, 'list' | 'monitorIds' | 'narrowedBy'>;
}

export interface TriageQuery extends TriageFilter {
  readonly sort: TriageSort;
  readonly offset: number;
  readonly limit: number;
  /** Domains that came into the list later are counted. */
  readonly readMs: number;
}

export interface TriageDomain extends WatchlistDomain {
  readonly assignee: string | undefined;
  readonly notes: number;
  /** Members of the record that changed last. */
  readonly changedFields: readonly string[];
  /** When it came into the list that was read; of a single domain, when it was discovered. */
  readonly arrivedMs: number;
}

export interface TriagePage {
  readonly total: number;
  readonly arrivedSinceRead: number;
  readonly domains: readonly TriageDomain[];
}

export type ListCounts = Readonly<Record<TriageList, number>>;

export interface MonitorCounts extends ListCounts {
  readonly id: WatchlistId;
  readonly term: string;
  readonly state: Monitor['state'];
  /** Domains discovered on each day, whatever was decided about them. */
  readonly days: readonly number[];
}

export interface ValueCount {
  readonly value: string;
  readonly domains: number;
  /** Of those that have a score; undefined if none has. */
  readonly averageRisk: number | undefined;
}

/** What was found, decided and blocked within a time, for a report. Times are in milliseconds; `toMs` is not part of it. */
export interface Period {
  readonly monitorId?: WatchlistId;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface PeriodSummary {
  /** Discovered within it. */
  readonly found: number;
  /** First decided within it, whenever they were discovered; decisions that were undone do not count. */
  readonly decided: number;
  /** Blocked within it, and blocked still. */
  readonly blocked: number;
  /** Of those discovered within it: nobody has decided about them. */
  readonly open: number;
  /** From discovery to the first decision, and to the block; undefined without any. */
  readonly medianMsToDecision: number | undefined;
  readonly medianMsToBlock: number | undefined;
  /** One element per day from `fromMs`. */
  readonly days: readonly { readonly found: number; readonly decided: number; readonly blocked: number }[];
  /** The most frequent values among those found. */
  readonly top: Readonly<Record<PeriodAttribute, readonly ValueCount[]>>;
  /** The highest risk first. */
  readonly foundNames: readonly string[];
  /** Newest first. */
  readonly blockedDomains: readonly {
    readonly id: WatchlistId;
    readonly domain: string;
    readonly atMs: number;
  }[];
}

export const periodAttributes = ['class', 'tld', 'registrar', 'country', 'name_server'] as const;
export type PeriodAttribute = (typeof periodAttributes)[number];

export interface Note {
  readonly id: WatchlistId;
  readonly by: string;
  readonly atMs: number;
  readonly text: string;
  /** Where it was written with a decision. */
  readonly decisionId: WatchlistId | undefined;
}

export interface TriageStore {
  /** With `paging`, a page of the list as it was when its first page was read. */
  listTriage(
    accountId: string,
    query: TriageQuery,
    paging: ListPaging,
  ): Promise<TriagePage | 'unknown-monitor'>;

  /** Also one that no list shows, as long as a monitor matches it or it is blocked. */
  findTriageDomain(accountId: string, id: WatchlistId): Promise<TriageDomain | undefined>;

  /** The lists as a whole and by monitor, in order of terms, with the discoveries of the given number of days from `fromMs`. */
  countLists(
    accountId: string,
    series: { readonly fromMs: number; readonly days: number },
  ): Promise<{ readonly lists: ListCounts; readonly monitors: readonly MonitorCounts[] }>;

  /** How many domains of a list came later than the time. */
  countArrivedSince(accountId: string, list: TriageList, sinceMs: number): Promise<number>;

  /** The most frequent values among the domains that match, in descending order. `among`: only these values. */
  countTriageValues(
    accountId: string,
    filter: TriageFilter,
    attribute: TriageAttribute,
    options: { readonly limit: number; readonly among?: readonly string[] },
  ): Promise<{ readonly values: readonly ValueCount[]; readonly more: boolean } | 'unknown-monitor'>;

  /** Domains that match, highest risk first. */
  listTriageNames(
    accountId: string,
    filter: TriageFilter,
    limit: number,
  ): Promise<
    | readonly { readonly id: WatchlistId; readonly domain: string; readonly riskScore: number | undefined }[]
    | 'unknown-monitor'
  >;

  summarizePeriod(
    accountId: string,
    period: Period,
    limits: { readonly values: number; readonly names: number; readonly blocked: number },
  ): Promise<PeriodSummary | 'unknown-monitor'>;

  /** Undefined if there is no such domain. */
  addNote(accountId: string, domainId: WatchlistId, text: string, by: Actor): Promise<Note | undefined>;

  /** Newest first, those of decisions included. */
  listNotes(accountId: string, domainId: WatchlistId, limit: number): Promise<readonly Note[]>;

  /** False if there is no such domain. */
  assignDomain(accountId: string, domainId: WatchlistId, assignee: string | undefined): Promise<boolean>;

  /** A time never moves back. */
  recordVisit(visit: ListVisit & { readonly atMs: number }): Promise<void>;

  /** The later of the visits to the whole list and, where it is given, to the list of the monitor. */
  findVisitMs(visit: ListVisit): Promise<number | undefined>;

  /** Rows of earlier versions, which lack the values that domains may share; in order of name, without repetition. */
  listUnfilledNames(limit: number): Promise<readonly string[]>;

  /** Of all accounts. Rows that have the values already stay as they are. */
  fillSharedFacts(
    facts: readonly { readonly domain: string; readonly shared: DomainFacts['shared'] }[],
  ): Promise<void>;
}

export interface ListVisit {
  readonly accountId: string;
  readonly username: string;
  readonly list: TriageList;
  readonly monitorId?: WatchlistId;
}
