/** Retention of feeds: removes records older than the configured days, and sessions that were not used for as long. */
import { dayMs, hourMs, minuteMs } from '../../model/durations.ts';
import { feedNames } from '../../model/feed/feed.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { continuedPrefix, incompletePrefix, sessionPrefix } from './session.ts';

export interface PruneFeedsNeeds {
  readonly streams: Pick<StreamStore, 'pruneSegments' | 'removeIdleConsumers'>;
  readonly settings: Pick<Settings, 'feeds'>;
}

/** The archive of a day is made from the stream after its end, so the first minutes of the day must still be there. */
const graceMs = hourMs;

export async function pruneFeeds({ streams, settings }: PruneFeedsNeeds, nowMs: number): Promise<void> {
  const beforeMs = nowMs - settings.feeds.retentionDays * dayMs - graceMs;
  for (const feed of feedNames) {
    const stream = feedStream(feed);
    await streams.pruneSegments(stream, Math.floor(beforeMs / minuteMs));
    for (const prefix of [sessionPrefix, continuedPrefix, incompletePrefix])
      await streams.removeIdleConsumers(stream, prefix, beforeMs);
  }
}
