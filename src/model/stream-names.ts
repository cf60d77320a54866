/** What the streams are called that feeds and channels stand on, and that of all names ever seen. */
import type { FeedName } from './product-catalogue.ts';

export function channelStream(channel: number): string {
  return `ch${channel}`;
}

export function feedStream(feed: FeedName): string {
  return `feed-${feed}`;
}

/** One name in a line, punycode, in the order in which they were seen; nothing of it is ever pruned. */
export const namesStream = 'names';
