/**
 * Collections of STIX objects for TAXII clients: what lists of an account say, as a log of object versions. A version never changes, and the time at
 * which it was added is given to no other of the collection, so that time is a position: who reads on from one misses nothing and gets nothing
 * twice. What leaves a list is revoked, never left out.
 *
 * A collection begins with its first reading. From then on every change of its list is noted in the transaction that makes it, and becomes versions
 * when somebody reads (`refreshCollection`).
 */

import type { WatchlistId } from '../../model/detect/watchlist.ts';
import type { FeedRecord } from '../../model/feed/feed.ts';
import type { TlpColour } from '../../model/stix/tlp-marking.ts';

export type SharedList = 'blocked' | 'watched' | 'lookalikes-new' | 'hotlist' | `monitor-${WatchlistId}`;

export interface CollectionKey {
  /** Empty for the hotlist, which all accounts share. */
  readonly accountId: string;
  readonly list: SharedList;
}

/** What new versions say of their author. */
export interface Author {
  readonly title: string;
  readonly name: string;
  readonly marking: TlpColour;
}

export interface SharedVersion {
  readonly id: string;
  readonly type: string;
  /** Microseconds since 1970. */
  readonly added: number;
  /** As STIX writes times. */
  readonly version: string;
  /** The object as JSON. */
  readonly text: string;
}

/** All given conditions must hold. */
export interface ObjectQuery {
  /** Added later than this, in microseconds. */
  readonly after: number;
  readonly limit: number;
  readonly ids?: readonly string[];
  readonly types?: readonly string[];
  readonly versions: VersionChoice;
}

/** Any of these. */
export type VersionChoice =
  | 'all'
  | { readonly first: boolean; readonly last: boolean; readonly atMs: readonly number[] };

export interface ObjectPage {
  readonly versions: readonly SharedVersion[];
  /** Whether more match. */
  readonly isMore: boolean;
}

export interface SharingStore {
  /** Collections of the account that were ever read. */
  listCollections(
    accountId: string,
  ): Promise<readonly { readonly list: SharedList; readonly title: string }[]>;

  /** Whether there is something to refresh, also where nobody has read the collection yet. Always false for the hotlist. */
  isUnrefreshed(key: CollectionKey): Promise<boolean>;

  /** Evaluates some hundred names, in one transaction. Begins the collection. */
  refreshCollection(key: CollectionKey, author: Author, nowMs: number): Promise<void>;

  /** How far the feed is read into the hotlist. */
  hotlistOffset(): Promise<number>;

  /** Adds what lines of the feed say, and moves the offset. Nothing happens where it is not at `from`. */
  addHotDomains(
    lines: readonly FeedRecord<'domainhotlist'>[],
    offset: { readonly from: number; readonly to: number },
    author: Author,
    nowMs: number,
  ): Promise<void>;

  /** In the order of their times. */
  listObjects(key: CollectionKey, query: ObjectQuery): Promise<ObjectPage>;
}
