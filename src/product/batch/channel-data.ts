/** The time window of a channel's data, and the data of a span of minutes. */
import { minuteOf, minuteText } from '../../model/minute.ts';
import { Problem } from '../../model/problem.ts';
import { channelStream } from '../../model/stream-names.ts';
import type { OpenRange, StreamStore } from '../../store/stream-store.ts';

export interface ChannelWindow {
  readonly earliestMinute: number;
  /** Exclusive, as the end of every span. */
  readonly endMinute: number;
  readonly bytes: number;
}

/** A half-open range of minutes of a channel, so that adjacent spans neither overlap nor leave a gap. */
export interface ChannelSpan {
  readonly channel: number;
  readonly fromMinute: number;
  readonly toMinute: number;
}

/** An empty channel starts and ends at the current minute. */
export async function windowOf(
  channel: number,
  { streams }: { readonly streams: Pick<StreamStore, 'findState'> },
  nowMs: number,
): Promise<ChannelWindow> {
  const state = await streams.findState(channelStream(channel));
  if (!state || state.start === state.end) {
    const nowMinute = minuteOf(nowMs);
    return { earliestMinute: nowMinute, endMinute: nowMinute, bytes: 0 };
  }
  const { earliestMinute, latestMinute, start, end } = state;
  return { earliestMinute, endMinute: latestMinute + 1, bytes: end - start };
}

/** The stored data of a span at this moment: its last minute may still grow. The caller closes the range. */
export async function getChannelData(
  { channel, fromMinute, toMinute }: ChannelSpan,
  { streams }: { readonly streams: Pick<StreamStore, 'offsetAt' | 'openRange'> },
): Promise<OpenRange> {
  const stream = channelStream(channel);
  const from = await streams.offsetAt(stream, fromMinute);
  const to = await streams.offsetAt(stream, toMinute);
  const range = from < to ? await streams.openRange(stream, from, to) : undefined;
  if (range) return range;
  const times = `${minuteText(fromMinute)} to ${minuteText(toMinute)}`;
  throw new Problem('not-found', `channel ${channel} has no data from ${times}`);
}
