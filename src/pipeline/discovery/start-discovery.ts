/**
 * Finds lookalikes while the server runs: among new names as they arrive, among all known names for new monitors, and in the update log of
 * records.
 */

import { Mutex } from '../../concurrency/mutex.ts';
import { repeat } from '../../concurrency/repeat.ts';
import type { Clock } from '../../model/clock.ts';
import type { NameSearch } from '../../model/detect/name-search.ts';
import { hourMs, weekMs } from '../../model/durations.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { FreeSpace } from '../../store/free-space.ts';
import type { JobStore } from '../../store/job-store.ts';
import type { MonitorStore } from '../../store/monitor-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import type { TriageStore } from '../../store/triage-store.ts';
import type { WatchlistStore } from '../../store/watchlist-store.ts';
import { ActiveMonitorSearch } from './active-monitor-search.ts';
import { enqueueDailyJobs } from './daily-jobs.ts';
import { consumerOf, discoverNames, nameFeeds } from './discover-names.ts';
import { fillSharedFacts } from './fill-shared-facts.ts';
import { followRecords } from './follow-records.ts';
import type { RecordDiscoveriesNeeds } from './record-discoveries.ts';
import { searchKnownNames } from './search-known-names.ts';
import { ThreadedNameSearch } from './threaded-name-search.ts';

export interface DiscoveryNeeds extends Pick<RecordDiscoveriesNeeds, 'assess'> {
  /** Nothing is begun while disk space is low. */
  readonly freeSpace?: Pick<FreeSpace, 'hasRoom'>;
  readonly streams: StreamStore;
  readonly domains: DomainStore;
  readonly monitors: MonitorStore;
  readonly watchlist: WatchlistStore;
  readonly triage: Pick<TriageStore, 'listUnfilledNames' | 'fillSharedFacts'>;
  readonly jobs: JobStore;
  readonly clock: Clock;
  /** For long searches; the matching of new names has its own thread and never waits for them. */
  readonly nameSearch: NameSearch;
  /** Error callback; the work is retried. */
  readonly onFailure: (error: unknown) => void;
}

export interface DiscoveryCounts {
  /** Names read from feeds. */
  readonly names: number;
  /** Matched domains, counted per account and per match. */
  readonly matches: number;
  /** Domains new to an account. */
  readonly discovered: number;
  /** Record updates that were followed. */
  readonly updates: number;
  /** Monitors whose first search is not complete. */
  readonly pending: number;
  /** Consumer lag on the feeds. */
  readonly lagBytes: number;
  readonly failures: number;
}

export interface Discovery {
  statistics(): DiscoveryCounts;
  close(): Promise<void>;
}

const pollMs = 1000;
const hourlyMs = hourMs;
/** A consumer may be down for a week. */
const updatesRetentionMs = weekMs;

export function startDiscovery(stores: DiscoveryNeeds): Discovery {
  const stopping = new AbortController();
  const { signal } = stopping;
  const counts = { names: 0, matches: 0, discovered: 0, updates: 0, pending: 0, lagBytes: 0, failures: 0 };
  const count = (more: Partial<Record<'names' | 'matches' | 'discovered' | 'updates', number>>) => {
    for (const [kind, number] of Object.entries(more)) counts[kind as keyof typeof more] += number;
  };
  const searcher = new ThreadedNameSearch();
  const monitorSearch = new ActiveMonitorSearch({ monitors: stores.monitors, search: searcher });
  const needs = { ...stores, monitorSearch, searcher, signal, factsMutex: new Mutex() };
  const onFailure = (error: unknown) => {
    counts.failures += 1;
    monitorSearch.forget();
    stores.onFailure(error);
  };
  const isPaused = () => stores.freeSpace?.hasRoom() === false;
  const again = (everyMs: number, work: () => Promise<unknown>, mayPause = isPaused) =>
    repeat(work, { everyMs, signal, onFailure, isPaused: mayPause });

  const consumeNames = async () => {
    const failures: unknown[] = [];
    for (const feed of nameFeeds) {
      if (signal.aborted) break;
      // One feed that fails, for instance at a damaged segment, must not stop the others.
      await discoverNames(feed, { ...needs, onDiscovered: count }).catch((error: unknown) =>
        failures.push(error),
      );
    }
    counts.lagBytes = await lagOf(stores.streams);
    if (failures.length > 0) throw failures[0];
  };
  const onPending = (monitors: number) => {
    counts.pending = monitors;
  };
  const searchForNew = () =>
    searchKnownNames({ ...needs, search: stores.nameSearch, onPending, onFound: count });
  const prune = () => stores.domains.pruneUpdates(stores.clock.now() - updatesRetentionMs);
  const running = Promise.all([
    again(pollMs, consumeNames),
    again(
      pollMs,
      whenMonitorsChange(stores.monitors, searchForNew, () => counts.pending > 0),
    ),
    again(pollMs, () => followRecords({ ...needs, onFollowed: count })),
    again(hourlyMs, () => enqueueDailyJobs(needs)),
    again(hourlyMs, () => fillSharedFacts(needs)),
    again(hourlyMs, prune, () => false),
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

async function lagOf(streams: Pick<StreamStore, 'findState' | 'findOffset'>): Promise<number> {
  let bytes = 0;
  for (const feed of nameFeeds) {
    const consumer = consumerOf(feed);
    const state = await streams.findState(consumer.stream);
    const { offset = 0 } = (await streams.findOffset(consumer)) ?? {};
    if (state) bytes += state.end - Math.max(offset, state.start);
  }
  return bytes;
}

/** Listing all monitors every second would cost too much. */
function whenMonitorsChange(
  monitors: Pick<MonitorStore, 'monitorsVersion'>,
  work: () => Promise<void>,
  hasPending: () => boolean,
): () => Promise<void> {
  let known: number | undefined;
  return async () => {
    const version = await monitors.monitorsVersion();
    if (version === known && !hasPending()) return;
    await work();
    known = version;
  };
}
