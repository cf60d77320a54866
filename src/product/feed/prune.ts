/** Feeds keep some days; what is older goes, and with it the sessions that nobody has asked for in that time. */
import { feedNames } from '../../model/feed.ts';
import type { Settings } from '../../model/settings.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { continuedPrefix, sessionPrefix } from './session.ts';

export interface PruneFeedsNeeds {
  readonly streams: Pick<StreamStore, 'prune' | 'removeIdlePlaces'>;
  readonly settings: Pick<Settings, 'feeds'>;
}

/** The archive of a day is made from the stream when the day is over, so its first minutes must still be there. */
const graceMs = 3_600_000;

export async function pruneFeeds({ streams, settings }: PruneFeedsNeeds, nowMs: number): Promise<void> {
  const beforeMs = nowMs - settings.feeds.retentionDays * 86_400_000 - graceMs;
  for (const feed of feedNames) {
    const stream = feedStream(feed);
    await streams.prune(stream, Math.floor(beforeMs / 60_000));
    await streams.removeIdlePlaces(stream, sessionPrefix, beforeMs);
    await streams.removeIdlePlaces(stream, continuedPrefix, beforeMs);
  }
}
