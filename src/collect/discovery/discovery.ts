/**
 * Finds lookalikes for as long as a server runs: among names as they come, among all known names for new monitors, and in what is
 * written about domains.
 */
import type { Clock } from '../../model/clock.ts';
import type { NameSearch } from '../../model/detect/name-search.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { JobStore } from '../../store/job-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import type { WatchlistStore } from '../../store/watchlist-store.ts';
import { enqueueDailyJobs } from './daily-jobs.ts';
import { discoverNames, nameFeeds, readerOf } from './discover-names.ts';
import { followRecords } from './follow-records.ts';
import { NameSearcher } from './name-searcher.ts';
import type { ListNeeds } from './put-on-lists.ts';
import { repeat } from './repeat.ts';
import { searchKnownNames } from './search-known-names.ts';
import { StandingSearch } from './standing-search.ts';
import { Turns } from './turns.ts';

export interface DiscoveryNeeds extends Pick<ListNeeds, 'assess'> {
  readonly streams: StreamStore;
  readonly domains: DomainStore;
  readonly watchlist: WatchlistStore;
  readonly jobs: JobStore;
  readonly clock: Clock;
  /** For searches that may take long; those of names as they come never wait for them. */
  readonly nameSearch: NameSearch;
  /** Hears of what went wrong; it is tried again. */
  readonly onFailure: (error: unknown) => void;
}

export interface DiscoveryCounts {
  /** Names that feeds brought. */
  readonly names: number;
  /** Domains that a monitor matched, for each account and however often. */
  readonly matches: number;
  /** Domains that were new to an account. */
  readonly discovered: number;
  /** Records whose changes were taken over. */
  readonly updates: number;
  /** Monitors whose first search is not done. */
  readonly pending: number;
  /** Bytes of feeds that are still to be read. */
  readonly lagBytes: number;
  readonly failures: number;
}

export interface Discovery {
  statistics(): DiscoveryCounts;
  close(): Promise<void>;
}

const lookMs = 1000;
const dailyLookMs = 3_600_000;
/** Long enough for whoever was stopped for a week. */
const updatesKeptMs = 7 * 86_400_000;

export function startDiscovery(stores: DiscoveryNeeds): Discovery {
  const stopping = new AbortController();
  const { signal } = stopping;
  const counts = { names: 0, matches: 0, discovered: 0, updates: 0, pending: 0, lagBytes: 0, failures: 0 };
  const count = (more: Partial<Record<'names' | 'matches' | 'discovered' | 'updates', number>>) => {
    for (const [kind, number] of Object.entries(more)) counts[kind as keyof typeof more] += number;
  };
  const searcher = new NameSearcher();
  const standing = new StandingSearch({ watchlist: stores.watchlist, search: searcher });
  const needs = { ...stores, standing, searcher, signal, factTurns: new Turns() };
  const onFailure = (error: unknown) => {
    counts.failures += 1;
    standing.forget();
    stores.onFailure(error);
  };
  const again = (everyMs: number, work: () => Promise<unknown>) =>
    repeat(work, { everyMs, signal, onFailure });

  const takeNames = async () => {
    for (const feed of nameFeeds) {
      if (!signal.aborted) await discoverNames(feed, { ...needs, onTaken: count });
    }
    counts.lagBytes = await lagOf(stores.streams);
  };
  const onPending = (monitors: number) => {
    counts.pending = monitors;
  };
  const searchForNew = () =>
    searchKnownNames({ ...needs, search: stores.nameSearch, onPending, onFound: count });
  const prune = () => stores.domains.pruneUpdates(stores.clock.now() - updatesKeptMs);
  const running = Promise.all([
    again(lookMs, takeNames),
    again(
      lookMs,
      whenMonitorsChange(stores.watchlist, searchForNew, () => counts.pending > 0),
    ),
    again(lookMs, () => followRecords({ ...needs, onFollowed: count })),
    again(dailyLookMs, () => enqueueDailyJobs(needs)),
    again(dailyLookMs, prune),
  ]);

  return {
    statistics: () => ({ ...counts }),
    close: async () => {
      stopping.abort();
      await searcher.close();
      await running;
    },
  };
}

async function lagOf(streams: Pick<StreamStore, 'findState' | 'findPlace'>): Promise<number> {
  let bytes = 0;
  for (const feed of nameFeeds) {
    const reader = readerOf(feed);
    const state = await streams.findState(reader.stream);
    const { place = 0 } = (await streams.findPlace(reader)) ?? {};
    if (state) bytes += state.end - Math.max(place, state.start);
  }
  return bytes;
}

/** To list all monitors every second would be much for nothing. */
function whenMonitorsChange(
  watchlist: Pick<WatchlistStore, 'monitorsVersion'>,
  work: () => Promise<void>,
  isOpen: () => boolean,
): () => Promise<void> {
  let known: number | undefined;
  return async () => {
    const version = await watchlist.monitorsVersion();
    if (version === known && !isOpen()) return;
    await work();
    known = version;
  };
}
