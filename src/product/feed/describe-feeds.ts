/** What the feeds hold that an account may read: how much, since when, how fast it grows, and which sessions are behind. */
import { type Caller, findGrant } from '../../model/account/account.ts';
import { feedNames } from '../../model/feed/feed.ts';
import { type FeedName, feedProducts } from '../../model/product-catalogue.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { ArchiveFile, ArchiveStore } from '../../store/archive-store.ts';
import { contentOf, type StreamContent } from '../../store/stream/stream-content.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { type FeedSession, listSessions } from './session.ts';

export interface DescribeFeedsNeeds {
  readonly streams: Pick<StreamStore, 'findState' | 'countLines' | 'offsetAt' | 'listConsumers'>;
  readonly archives: Pick<ArchiveStore, 'listFiles'>;
}

export interface DescribedFeed extends StreamContent {
  readonly feed: FeedName;
  /** Whether the account may poll it, and download its archives. */
  readonly isProvisioned: boolean;
  readonly hasArchives: boolean;
  readonly sessions: readonly FeedSession[];
  /** Newest first. */
  readonly files: readonly ArchiveFile[];
}

const filesListed = 48;

export async function describeFeeds(
  caller: Caller,
  needs: DescribeFeedsNeeds,
  nowMs: number,
): Promise<readonly DescribedFeed[]> {
  return Promise.all(feedNames.map((feed) => describeFeed(feed, caller, needs, nowMs)));
}

export async function describeFeed(
  feed: FeedName,
  { account, user }: Caller,
  needs: DescribeFeedsNeeds,
  nowMs: number,
): Promise<DescribedFeed> {
  const has = (part: 'api' | 's3') =>
    findGrant(account, `${feedProducts[feed]}-(${part})`, nowMs, user.products) !== undefined;
  const hasArchives = has('s3');
  const [content, sessions, files] = await Promise.all([
    contentOf(feedStream(feed), needs, nowMs),
    listSessions(feed, account.id, needs),
    hasArchives ? needs.archives.listFiles({ archive: feed, prefix: '', skip: 0, limit: filesListed }) : [],
  ]);
  return { feed, isProvisioned: has('api'), hasArchives, ...content, sessions, files };
}
