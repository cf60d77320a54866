/** Discovery step by step: names come when the test says so, and every stage runs to its end when it is asked to. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { enqueueDailyJobs } from '../../src/collect/discovery/daily-jobs.ts';
import {
  discoverNames,
  type NameFeed,
  nameFeeds,
  readerOf,
} from '../../src/collect/discovery/discover-names.ts';
import { followRecords } from '../../src/collect/discovery/follow-records.ts';
import { NameSearcher } from '../../src/collect/discovery/name-searcher.ts';
import type { ListNeeds } from '../../src/collect/discovery/put-on-lists.ts';
import { searchKnownNames } from '../../src/collect/discovery/search-known-names.ts';
import { StandingSearch } from '../../src/collect/discovery/standing-search.ts';
import { Turns } from '../../src/collect/discovery/turns.ts';
import type { MonitorSettings } from '../../src/model/detect/watchlist.ts';
import { lineOf } from '../../src/model/feed/record-line.ts';
import { secondText } from '../../src/model/feed/second.ts';
import type { DomainRecord } from '../../src/model/record/domain-record.ts';
import type { DomainStore } from '../../src/store/domain-store.ts';
import { openDomainStore } from '../../src/store/embedded/domain-store.ts';
import { openJobStore } from '../../src/store/embedded/job-store.ts';
import { openStreamStore } from '../../src/store/embedded/stream-store.ts';
import { openWatchlistStore } from '../../src/store/embedded/watchlist-store.ts';
import type { JobStore } from '../../src/store/job-store.ts';
import type { StreamStore } from '../../src/store/stream-store.ts';
import type { WatchlistStore } from '../../src/store/watchlist-store.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { TestClock } from './test-clock.ts';

export interface DiscoveryStores extends Pick<ListNeeds, 'assess'> {
  readonly streams: StreamStore;
  readonly domains: DomainStore;
  readonly watchlist: WatchlistStore;
  readonly jobs: JobStore;
  readonly clock: TestClock;
}

export interface Discovering extends DiscoveryStores {
  readonly search: NameSearcher;
  /** Names come into a feed. */
  bring(names: readonly string[], feed?: NameFeed): Promise<void>;
  /** Takes what feeds have brought. */
  discover(): Promise<void>;
  /** The first searches of new monitors. */
  searchKnown(): Promise<void>;
  follow(): Promise<void>;
  enqueueDaily(): Promise<void>;
  /** A record is written. */
  write(record: DomainRecord): Promise<void>;
}

/** Of all tests of a file: a thread takes longer to start than most of them. */
const [searcher, search] = [new NameSearcher(), new NameSearcher()];

/** The stages of one process over stores that the test has. */
export function discovering(stores: DiscoveryStores): Discovering {
  const { streams, domains, watchlist, clock } = stores;
  const standing = new StandingSearch({ watchlist, search: searcher });
  const needs = { ...stores, searcher, standing, search, factTurns: new Turns() };
  return {
    ...stores,
    search,
    bring: async (names, feed = 'domaindiscovery') => {
      await streams.append(
        [{ stream: readerOf(feed).stream, bytes: feedLines(names, clock.now()) }],
        clock.now(),
      );
    },
    discover: async () => {
      for (const feed of nameFeeds) await discoverNames(feed, needs);
    },
    searchKnown: () => searchKnownNames(needs),
    follow: () => followRecords(needs),
    enqueueDaily: () => enqueueDailyJobs(needs),
    write: async (record) => {
      await domains.upsert([{ record, source: 'test', seenMs: clock.now() }]);
    },
  };
}

export function feedLines(names: readonly string[], nowMs: number): Uint8Array {
  const timestamp = secondText(Math.floor(nowMs / 1000));
  return Buffer.from(names.map((domain) => lineOf('domaindiscovery', { timestamp, domain })).join(''));
}

/** Stores of their own below a directory. */
export function openDiscoveryStores(directory: string, clock = new TestClock()) {
  const streams = openStreamStore(directory);
  const domains = openDomainStore(directory, clock);
  const watchlist = openWatchlistStore(directory);
  const jobs = openJobStore(directory);
  const close = async () => {
    await jobs.close();
    await watchlist.close();
    await domains.close();
    await streams.close();
  };
  return { streams, domains, watchlist, jobs, clock, close };
}

export function discoveryWorld(t: TestContext, directory = temporaryDirectory(t)): Discovering {
  const stores = openDiscoveryStores(directory);
  t.after(() => stores.close());
  return discovering(stores);
}

/** One for all tests of a file, made outside of them: they keep apart by account and term. */
export function sharedWorld(): Discovering {
  const directory = mkdtempSync(join(tmpdir(), 'nameglass-'));
  const stores = openDiscoveryStores(directory);
  after(async () => {
    await stores.close();
    rmSync(directory, { recursive: true });
  });
  return discovering(stores);
}

export function settingsOf(term: string, more: Partial<MonitorSettings> = {}): MonitorSettings {
  return {
    term,
    matchSubstringVariations: false,
    nameserverExclusions: [],
    textExclusions: [],
    ...more,
  };
}

export function monitor(
  { watchlist, clock }: DiscoveryStores,
  accountId: string,
  term: string,
  more: Partial<MonitorSettings> = {},
) {
  return watchlist.createMonitor(accountId, settingsOf(term, more), { username: 'ann', atMs: clock.now() });
}

/** Names of the domains that an account has on a list, sorted. */
export async function listed(
  watchlist: Pick<WatchlistStore, 'listDomains'>,
  accountId: string,
  state: 'new' | 'watched' | 'ignored' = 'new',
): Promise<string[]> {
  return (await domainsOf(watchlist, accountId, state)).map(({ domain }) => domain).sort();
}

export async function domainsOf(
  watchlist: Pick<WatchlistStore, 'listDomains'>,
  accountId: string,
  state: 'new' | 'watched' | 'ignored' = 'new',
) {
  const query = { state, sort: [], descending: true, offset: 0, limit: 100_000 } as const;
  const answer = await watchlist.listDomains(accountId, query);
  return answer === 'unknown-monitor' ? [] : answer.domains;
}
