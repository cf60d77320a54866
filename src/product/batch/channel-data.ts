/** What a channel holds, and the data of a stretch of its minutes. */
import { minuteOf, minuteText } from '../../model/minute.ts';
import { Problem } from '../../model/problem.ts';
import { channelStream } from '../../model/stream-names.ts';
import type { OpenRange, StreamStore } from '../../store/stream-store.ts';

export interface ChannelWindow {
  readonly earliestMinute: number;
  /** Exclusive, as the end of every span: from the first to this one is all there is. */
  readonly endMinute: number;
  readonly bytes: number;
}

/** Minutes of a channel, from the first up to but not including the last, so that neighbours neither overlap nor leave a gap. */
export interface ChannelSpan {
  readonly channel: number;
  readonly fromMinute: number;
  readonly toMinute: number;
}

/** A channel without data begins and ends with the present minute. */
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

/** What is kept of a span, as it is now: its last minute may still grow. The range is the caller's to close. */
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
  throw new Problem('not-found', `channel ${channel} holds nothing from ${times}`);
}
