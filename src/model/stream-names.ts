/** What the streams are called that feeds and channels stand on, and those that stages of the pipeline hand names on with. */
import type { FeedName } from './product-catalogue.ts';

export function channelStream(channel: number): string {
  return `ch${channel}`;
}

export function feedStream(feed: FeedName): string {
  return `feed-${feed}`;
}

/** One name in a line, punycode, in the order in which they were seen; nothing of it is ever pruned. */
export const namesStream = 'names';

/** Base domains that passive DNS has found, one in a line, on their way to the store of names. */
export const foundDomainsStream = 'found-domains';

/** Host names that sources of names have brought, in lines as of the feed `noh`, on their way to whoever matches names. */
export const hostsStream = 'hosts';
