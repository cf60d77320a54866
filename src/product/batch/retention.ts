/** How long a channel keeps its data: so many hours, and fewer, down to a least number, where it grows too large. */
import { minuteOf } from '../../model/minute.ts';
import type { Settings } from '../../model/settings.ts';
import { channelStream } from '../../model/stream-names.ts';
import type { StreamState, StreamStore } from '../../store/stream-store.ts';

type BatchSettings = Pick<Settings, 'batch'>;

export interface PruneNeeds {
  readonly streams: Pick<StreamStore, 'findState' | 'offsetAt' | 'prune' | 'listStreams'>;
  readonly settings: BatchSettings;
}

export function retentionHoursOf(channel: number, { batch }: BatchSettings): number {
  return batch.channels[channel]?.retentionHours ?? batch.retentionHours;
}

/** A link does not outlive what it could open. */
export function linkLifetimeSeconds(channel: number, settings: BatchSettings): number {
  return Math.min(settings.batch.urlLifetimeHours, retentionHoursOf(channel, settings)) * 3600;
}

/** The minute before which a channel is pruned. `fittingMinute` is the first from which on it is not too large. */
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

/** To be called every minute. Channels that are declared no more are pruned as well. */
export async function pruneChannels({ streams, settings }: PruneNeeds, nowMs: number): Promise<void> {
  for (const stream of await streams.listStreams()) {
    const channel = Number(/^ch(\d+)$/.exec(stream)?.[1]);
    const state = Number.isNaN(channel) ? undefined : await streams.findState(stream);
    if (!state) continue;
    const fittingMinute = await findFittingMinute(channel, state, streams, settings.batch.channelBytesMax);
    await streams.prune(stream, pruneBefore(channel, fittingMinute, settings, nowMs));
  }
}

/** Offsets grow with minutes, so the first minute that is far enough behind is found by halving. */
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
