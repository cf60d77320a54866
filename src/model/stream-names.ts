/** Names of streams: of feeds, of channels, and of those between stages of the pipeline. */
import type { FeedName } from './product-catalogue.ts';

export function channelStream(channel: number): string {
  return `ch${channel}`;
}

export function feedStream(feed: FeedName): string {
  return `feed-${feed}`;
}

/** One name per line, punycode, in the order of first sighting; never pruned. */
export const namesStream = 'names';

/** Base domains found by passive DNS, one per line, to be added to the name store. */
export const foundDomainsStream = 'found-domains';

/** Host names from name sources, in lines like those of the feed `noh`, to be matched by the detection stage. */
export const hostsStream = 'hosts';
