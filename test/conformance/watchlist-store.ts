/** What every watchlist store must do. */
import { describeDetectStore, type OpenDetectStores } from './detect/describe-detect-store.ts';
import { watchlistDiscovery } from './detect/watchlist-discovery.ts';
import { watchlistLists } from './detect/watchlist-lists.ts';
import { watchlistPages } from './detect/watchlist-pages.ts';
import { watchlistRecordChanges } from './detect/watchlist-record-changes.ts';
import { watchlistTriage } from './detect/watchlist-triage.ts';

export function watchlistStoreConformance(name: string, open: OpenDetectStores): void {
  describeDetectStore(`${name} as a watchlist store`, open, (newFixture) => {
    watchlistDiscovery(newFixture, open);
    watchlistLists(newFixture);
    watchlistPages(newFixture, open);
    watchlistRecordChanges(newFixture, open);
    watchlistTriage(newFixture);
  });
}
