/** What a stream holds: how much, since when, and how fast it grows. */
import { hourMs, minuteMs } from '../../model/durations.ts';
import type { StreamName, StreamStore } from '../stream-store.ts';

export interface StreamContent {
  readonly lines: number;
  readonly bytes: number;
  readonly oldestMs: number | undefined;
  readonly newestMs: number | undefined;
  /** Of the last hour, by whole minutes. */
  readonly linesLastHour: number;
}

export async function contentOf(
  stream: StreamName,
  { streams }: { readonly streams: Pick<StreamStore, 'findState' | 'countLines' | 'offsetAt'> },
  nowMs: number,
): Promise<StreamContent> {
  const state = await streams.findState(stream);
  if (!state || state.start === state.end)
    return { lines: 0, bytes: 0, oldestMs: undefined, newestMs: undefined, linesLastHour: 0 };
  const hourAgo = await streams.offsetAt(stream, Math.floor((nowMs - hourMs) / minuteMs));
  return {
    lines: state.lines,
    bytes: state.end - state.start,
    oldestMs: state.earliestMinute * minuteMs,
    newestMs: state.latestMinute * minuteMs,
    linesLastHour: hourAgo < state.end ? await streams.countLines(stream, hourAgo, state.end) : 0,
  };
}
