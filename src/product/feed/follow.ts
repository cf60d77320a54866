/** Reads a stream as it grows, at the pace of whoever takes the lines. */
import { Growth } from '../../store/growth.ts';
import { type LineSlice, scanLines } from '../../store/line-slices.ts';
import type { Offset, StreamName, StreamStore } from '../../store/stream-store.ts';

type Followed = Pick<StreamStore, 'findState' | 'openRange'>;

export interface FollowNeeds {
  readonly streams: Followed;
  readonly growth: Growth;
}

const nothing = new Uint8Array(0);

export function streamGrowth(streams: Pick<StreamStore, 'findState'>, pauseMs: number): Growth {
  return new Growth(async (stream) => (await streams.findState(stream))?.end ?? 0, pauseMs);
}

/** Whole lines until the signal comes; an empty slice where none came for `idleMs`. */
export async function* followGrowth(
  { streams, growth }: FollowNeeds,
  stream: StreamName,
  from: Offset,
  signal: AbortSignal,
  idleMs: number,
): AsyncGenerator<LineSlice, void, undefined> {
  let place = from;
  while (!signal.aborted) {
    const end = await growth.wait(stream, place, idleMs, signal);
    if (signal.aborted) return;
    if (end <= place) {
      yield { bytes: nothing, end: place };
      continue;
    }
    const range = await streams.openRange(stream, place, end);
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
    place = end;
  }
}

/** The same for somebody alone, who looks every `pauseMs`; ends with the signal. */
export async function* followStream(
  { streams }: { readonly streams: Followed },
  stream: StreamName,
  from: Offset,
  signal: AbortSignal,
  pauseMs: number,
): AsyncGenerator<LineSlice, void, undefined> {
  const needs = { streams, growth: streamGrowth(streams, pauseMs) };
  for await (const slice of followGrowth(needs, stream, from, signal, 60_000)) {
    if (slice.bytes.length > 0) yield slice;
  }
}
