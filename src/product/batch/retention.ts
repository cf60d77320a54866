/** Channel retention: a number of hours, reduced down to a minimum when the channel exceeds its size limit. */
import { hourSeconds } from '../../model/durations.ts';
import { minuteOf } from '../../model/minute.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { channelStream } from '../../model/stream-names.ts';
import type { StreamState, StreamStore } from '../../store/stream-store.ts';

type BatchSettings = Pick<Settings, 'batch'>;

export interface PruneNeeds {
  readonly streams: Pick<StreamStore, 'findState' | 'offsetAt' | 'pruneSegments' | 'listStreams'>;
  readonly settings: BatchSettings;
}

export function retentionHoursOf(channel: number, { batch }: BatchSettings): number {
  return batch.channels[channel]?.retentionHours ?? batch.retentionHours;
}

/** A link expires no later than the data it opens. */
export function linkLifetimeSeconds(channel: number, settings: BatchSettings): number {
  return Math.min(settings.batch.urlLifetimeHours, retentionHoursOf(channel, settings)) * hourSeconds;
}

/**
 * The minute before which a channel is pruned. `fittingMinute` is the first minute from which the data is within the
 * size limit.
 */
export function pruneBefore(
  channel: number,
  fittingMinute: number,
  settings: BatchSettings,
  nowMs: number,
): number {
  const nowMinute = minuteOf(nowMs);
  const hours = retentionHoursOf(channel, settings);
  const hoursMin = Math.min(hours, settings.batch.retentionHoursMin);
  return Math.max(nowMinute - hours * 60, Math.min(fittingMinute, nowMinute - hoursMin * 60));
}

/** Called every minute. Channels that are no longer declared are pruned as well. */
export async function pruneChannels({ streams, settings }: PruneNeeds, nowMs: number): Promise<void> {
  for (const stream of await streams.listStreams()) {
    const channel = Number(/^ch(\d+)$/.exec(stream)?.[1]);
    const state = Number.isNaN(channel) ? undefined : await streams.findState(stream);
    if (!state) continue;
    const fittingMinute = await findFittingMinute(channel, state, streams, settings.batch.channelBytesMax);
    await streams.pruneSegments(stream, pruneBefore(channel, fittingMinute, settings, nowMs));
  }
}

/** Offsets increase with minutes, so a binary search finds the first minute within the size limit. */
async function findFittingMinute(
  channel: number,
  { earliestMinute, latestMinute, start, end }: StreamState,
  streams: Pick<StreamStore, 'offsetAt'>,
  bytesMax: number,
): Promise<number> {
  if (end - start <= bytesMax) return earliestMinute;
  let [low, high] = [earliestMinute, latestMinute + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await streams.offsetAt(channelStream(channel), middle)) < end - bytesMax) low = middle + 1;
    else high = middle;
  }
  return low;
}
