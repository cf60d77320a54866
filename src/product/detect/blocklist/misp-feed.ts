/** A blocklist of an account as a MISP feed. The events of the lists that were read last are kept until the lists change. */
import { TimeSlice } from '../../../concurrency/time-slice.ts';
import { isWritable } from '../../../model/detect/blocklist/format.ts';
import {
  changedSeconds,
  type FeedEvent,
  FeedEvents,
  type FeedOwner,
} from '../../../model/detect/misp/feed-event.ts';
import { eventFile, hashesFile, manifestFile } from '../../../model/detect/misp/feed-files.ts';
import { Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type { BlocklistStore } from '../../../store/detect/blocklist-store.ts';
import { latestSerial, type SerialNeeds } from '../blocklists.ts';

export interface MispFeedNeeds extends SerialNeeds {
  readonly blocklists: SerialNeeds['blocklists'] & Pick<BlocklistStore, 'listPeriods'>;
  readonly settings: Pick<Settings, 'sharing'>;
}

export interface FeedAccount {
  readonly id: string;
  readonly name: string;
}

export interface MispFeed {
  readonly serial: number;
  readonly events: ReadonlyMap<string, FeedEvent>;
  manifest(): Iterable<string>;
  hashes(): Iterable<string>;
  event(event: FeedEvent): Iterable<string>;
  /** Changes with the contents of the manifest, or of one event. */
  tag(event?: FeedEvent): string;
}

const pagePeriods = 500;
const feedsKept = 8;
/** Larger ones are read again each time. */
const keptNamesMax = 200_000;

interface KeptFeed {
  readonly tag: string;
  readonly feed: Promise<MispFeed>;
}

export class MispFeeds {
  readonly #needs: MispFeedNeeds;
  /** Least recently used first. */
  readonly #kept = new Map<string, KeptFeed>();

  constructor(needs: MispFeedNeeds) {
    this.#needs = needs;
  }

  /** Throws `not-found` for an unknown selection. */
  async open(account: FeedAccount, selection: string, nowMs: number): Promise<MispFeed> {
    const { id, name } = account;
    const serial = await latestSerial({ accountId: id, selection }, this.#needs, nowMs);
    const owner: FeedOwner = { id, name, selection, tlp: this.#needs.settings.sharing.tlp };
    const key = JSON.stringify([id, selection]);
    const tag = JSON.stringify([serial, owner]);
    const known = this.#kept.get(key);
    if (known?.tag === tag) return known.feed;
    const feed = this.#read(owner, serial, key);
    this.#kept.delete(key);
    this.#kept.set(key, { tag, feed });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= feedsKept) break;
      this.#kept.delete(oldest);
    }
    return feed;
  }

  async #read(owner: FeedOwner, serial: number, key: string): Promise<MispFeed> {
    try {
      const events = await readEvents(owner, serial, this.#needs.blocklists);
      if (events.names > keptNamesMax) this.#kept.delete(key);
      return feedOf(events.byUuid(), owner, serial);
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }
}

async function readEvents(
  owner: FeedOwner,
  serial: number,
  blocklists: Pick<BlocklistStore, 'listPeriods'>,
): Promise<FeedEvents> {
  const key = { accountId: owner.id, selection: owner.selection };
  const events = new FeedEvents(owner);
  const timeSlice = new TimeSlice();
  for (let after = { name: '', added: 0 }; ; ) {
    const periods = await blocklists.listPeriods(key, serial, { after, limit: pagePeriods });
    if (!periods)
      throw new Problem('unavailable', 'The list has changed too often meanwhile. Fetch it again.');
    for (const period of periods) if (isWritable(period.name)) events.add(period);
    const last = periods.at(-1);
    if (!last || periods.length < pagePeriods) return events;
    after = { name: last.name, added: last.added };
    await timeSlice.yieldIfOver();
  }
}

function feedOf(events: ReadonlyMap<string, FeedEvent>, owner: FeedOwner, serial: number): MispFeed {
  return {
    serial,
    events,
    manifest: () => manifestFile(events.values(), owner),
    hashes: () => hashesFile(events.values()),
    event: (event) => eventFile(event, owner),
    tag: (event) =>
      event ? `${changedSeconds(event)}-${event.periods.length}-${owner.tlp}` : `${serial}-${owner.tlp}`,
  };
}
