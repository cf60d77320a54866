/**
 * Monitors, and the domains that accounts own. Every operation is scoped to one account unless it says otherwise; an id of another
 * account is treated as unknown.
 */
import type { DomainCounts, Monitor, MonitorSettings, WatchlistId } from '../model/detect/watchlist.ts';
import type { ListPaging } from './paging/list-paging.ts';

export type MonitorSort = 'term' | 'created_date' | 'domain_counts_changed' | 'domain_counts_discovered';

export interface MonitorQuery {
  readonly sort: readonly MonitorSort[];
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
  /** Counts include domains since this time; when absent no counts are returned. A sort by counts without it counts all domains. */
  readonly countsSinceMs?: number;
}

export type CountedMonitor = Monitor & { readonly counts?: DomainCounts };

/** Everything but the term may change. `declaredIn`: the file that declares the monitor as it is after this change, or null for none. */
export type MonitorChange = Partial<
  Omit<MonitorSettings, 'term'> & Pick<Monitor, 'state'> & { readonly declaredIn: string | null }
>;

/** The domains that left the lists with a monitor. */
export interface DeletedMonitor {
  readonly removed: number;
  /** Those of them about which something was decided. */
  readonly remembered: number;
  /** Those of them that stay on the blocklist. */
  readonly blocked: number;
}

/** What becomes of the domains that only a deleted monitor matched; by default decisions are remembered, and blocked ones stay blocked. */
export interface MonitorDeletion {
  /** Everything decided about them is forgotten, and they are no longer blocked. */
  readonly forget?: boolean;
  /** They are no longer blocked from this time on, which is an event; other decisions are remembered. */
  readonly unblockedMs?: number;
}

/** What hangs on a monitor. */
export interface MatchCounts {
  /** That it matches, excluded ones too. */
  readonly domains: number;
  /** Those that no other monitor matches: what its deletion would return. */
  readonly alone: DeletedMonitor;
}

/** Progress of the initial search among the names already known. */
export interface SearchProgress {
  readonly names: number;
  readonly ofNames: number;
  readonly done: boolean;
  /** `updatedMs` of the monitor when the search began: identifies the settings that were searched for. */
  readonly updatedMs: number;
}

/** A monitor and the account it belongs to, for matching on behalf of all accounts. */
export interface ActiveMonitor {
  readonly accountId: string;
  readonly monitor: Monitor;
}

export interface MonitorStore {
  createMonitor(
    accountId: string,
    settings: MonitorSettings,
    by: { readonly username: string; readonly atMs: number },
  ): Promise<Monitor>;

  /**
   * A change that widens the search sets the status back to `pending`: substring variations enabled, a text exclusion removed (names it
   * excludes are not even matched), or the monitor reactivated. A change that narrows it removes no match. Exclusions are re-evaluated
   * for every existing match. `updatedMs` increases with every change. Undefined if there is no such monitor.
   */
  updateMonitor(
    accountId: string,
    id: WatchlistId,
    change: MonitorChange,
    atMs: number,
  ): Promise<Monitor | undefined>;

  /**
   * Also deletes its matches. Domains that no other monitor matched leave the lists; what was decided about them is remembered, and holds
   * when they are found again, unless the options say otherwise. Undefined if there is no such monitor.
   */
  deleteMonitor(
    accountId: string,
    id: WatchlistId,
    options?: MonitorDeletion,
  ): Promise<DeletedMonitor | undefined>;

  /** Undefined if there is no such monitor. */
  countMatches(accountId: string, id: WatchlistId): Promise<MatchCounts | undefined>;

  findMonitor(accountId: string, id: WatchlistId): Promise<Monitor | undefined>;

  /** Terms are in order of their letters, whatever their case and accents. */
  listMonitors(
    accountId: string,
    query: MonitorQuery,
    paging?: ListPaging,
  ): Promise<{ readonly total: number; readonly monitors: readonly CountedMonitor[] }>;

  /** Active monitors of all accounts, with a version no newer than they are. */
  listActiveMonitors(): Promise<{ readonly version: number; readonly monitors: readonly ActiveMonitor[] }>;

  /** Increases with every change of a monitor or an own domain of any account, made by any process. */
  monitorsVersion(): Promise<number>;

  /** Ignored if the settings have changed since the search began; otherwise `done` sets the status to `completed`. */
  recordSearchProgress(accountId: string, id: WatchlistId, progress: SearchProgress): Promise<void>;

  /** Domains of the account itself, in punycode: neither they nor their subdomains are ever put on its lists. */
  listOwnDomains(accountId: string): Promise<readonly string[]>;

  /** Takes domains that became the account's own off its lists, and forgets what was decided about them. Returns all own domains. */
  changeOwnDomains(
    accountId: string,
    change: { readonly add: readonly string[]; readonly remove: readonly string[] },
  ): Promise<readonly string[]>;

  /** By account id. */
  listAllOwnDomains(): Promise<ReadonlyMap<string, readonly string[]>>;
}
