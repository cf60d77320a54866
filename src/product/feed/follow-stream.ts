/** Follows a stream as it grows, at the consumer's speed (backpressure). */
import { minuteMs } from '../../model/durations.ts';
import { GrowthPoller } from '../../store/growth/growth-poller.ts';
import { type LineSlice, scanLines } from '../../store/stream/scan-lines.ts';
import type { Offset, StreamName, StreamStore } from '../../store/stream-store.ts';

type Followed = Pick<StreamStore, 'findState' | 'openRange' | 'growth'>;

export interface FollowNeeds {
  readonly streams: Followed;
  readonly growth: GrowthPoller;
}

export interface FollowOptions {
  readonly stream: StreamName;
  readonly from: Offset;
  /** Ends the iteration. */
  readonly signal: AbortSignal;
}

const nothing = new Uint8Array(0);

export function streamGrowth(
  streams: Pick<StreamStore, 'findState' | 'growth'>,
  intervalMs: number,
): GrowthPoller {
  const findEnd = async (stream: StreamName) => (await streams.findState(stream))?.end ?? 0;
  return new GrowthPoller(findEnd, intervalMs, streams);
}

/** Whole lines; an empty slice whenever none came for `idleMs`. */
export async function* followGrowth(
  { stream, from, signal, idleMs }: FollowOptions & { readonly idleMs: number },
  { streams, growth }: FollowNeeds,
): AsyncGenerator<LineSlice, void, undefined> {
  let offset = from;
  while (!signal.aborted) {
    const end = await growth.wait(stream, offset, idleMs, signal);
    if (signal.aborted) return;
    if (end <= offset) {
      yield { bytes: nothing, end: offset };
      continue;
    }
    const range = await streams.openRange(stream, offset, end);
    try {
      // Undefined where all of it was pruned meanwhile.
      if (range) {
        for await (const slice of scanLines(range)) {
          if (signal.aborted) return;
          yield slice;
        }
      }
    } finally {
      await range?.close();
    }
    offset = end;
  }
}

/** The same with a poller of its own, and without empty slices. */
export async function* followStream(
  { intervalMs, ...options }: FollowOptions & { readonly intervalMs: number },
  { streams }: { readonly streams: Followed },
): AsyncGenerator<LineSlice, void, undefined> {
  const needs = { streams, growth: streamGrowth(streams, intervalMs) };
  for await (const slice of followGrowth({ ...options, idleMs: minuteMs }, needs)) {
    if (slice.bytes.length > 0) yield slice;
  }
}
