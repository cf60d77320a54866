/** What every watchlist-store promises. Two handles on the same data stand for two processes. */
import { after, describe, type TestContext } from 'node:test';
import type { WatchlistStore } from '../../src/store/watchlist-store.ts';
import { WatchlistWorld } from '../harness/watchlist-world.ts';
import { watchlistDecisions } from './watchlist-decisions.ts';
import { watchlistDiscovery } from './watchlist-discovery.ts';
import { watchlistLists } from './watchlist-lists.ts';
import { watchlistModel } from './watchlist-model.ts';
import { watchlistMonitors } from './watchlist-monitors.ts';
import { watchlistNews } from './watchlist-news.ts';
import { watchlistTelling } from './watchlist-telling.ts';

/** A function that opens one more handle on the data of this test. */
export type OpenWatchlistStore = (t: TestContext) => () => WatchlistStore;

/** An account of its own in a store that tests share; what concerns all accounts at once is tested in a store of its own. */
export type NewWorld = () => WatchlistWorld;

export function watchlistStoreConformance(name: string, open: OpenWatchlistStore): void {
  describe(`${name} as a watchlist-store`, () => {
    const handle = open({ after } as TestContext);
    let shared: WatchlistStore | undefined;
    const newWorld = () => {
      shared ??= handle();
      return new WatchlistWorld(shared);
    };
    watchlistMonitors(newWorld, open);
    watchlistDiscovery(newWorld, open);
    watchlistLists(newWorld);
    watchlistNews(newWorld, open);
    watchlistDecisions(newWorld, open);
    watchlistTelling(newWorld, open);
    watchlistModel(newWorld);
  });
}
