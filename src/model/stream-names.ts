/** What the streams are called that feeds and channels stand on. */
import type { FeedName } from './product-catalogue.ts';

export function channelStream(channel: number): string {
  return `ch${channel}`;
}

export function feedStream(feed: FeedName): string {
  return `feed-${feed}`;
}
