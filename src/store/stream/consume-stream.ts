/**
 * Reads a stream from a consumer's committed offset in slices of whole lines, and commits the offset behind each slice that was
 * handled. Delivery is in order and at least once: after a crash the same lines come again, possibly in different slices. A consumer
 * that writes idempotently, or under a producer mark moved from `from` to `to` together with what it writes, gets exactly-once
 * processing.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../model/clock.ts';
import { minuteMs } from '../../model/durations.ts';
import type { Consumer, Offset, StreamStore } from '../stream-store.ts';
import { scanLines } from './scan-lines.ts';

/** A consumer that takes longer than this to handle a slice may lose its lease to another process. */
const leaseMs = minuteMs;
const sliceBytes = 1 << 20;

export interface Delivery {
  /** Whole lines. */
  readonly bytes: Uint8Array;
  readonly from: Offset;
  readonly to: Offset;
}

export interface ConsumeNeeds {
  readonly streams: Pick<
    StreamStore,
    'findState' | 'findOffset' | 'openRange' | 'leaseOffset' | 'commitOffset' | 'releaseOffset'
  >;
  readonly clock: Clock;
}

/**
 * Handles everything up to the current end of the stream. `busy`: there is more, and another process holds the lease. A consumer without
 * an offset starts with the first line that is kept.
 */
export async function consumeStream(
  consumer: Consumer,
  { streams, clock }: ConsumeNeeds,
  handle: (delivery: Delivery) => Promise<void>,
): Promise<'done' | 'busy'> {
  if (!(await hasUnread(consumer, streams))) return 'done';
  const holder = randomUUID();
  const lease = () => streams.leaseOffset(consumer, holder, clock.now(), clock.now() + leaseMs);
  const leased = await lease();
  if (!leased) return 'busy';
  try {
    const state = await streams.findState(consumer.stream);
    let offset = Math.max(leased.offset ?? 0, state?.start ?? 0);
    const range = state && (await streams.openRange(consumer.stream, offset, state.end));
    if (!range) return 'done';
    try {
      for await (const { bytes, end } of scanLines(range, { bytesMax: sliceBytes })) {
        await handle({ bytes, from: offset, to: end });
        if (!(await streams.commitOffset(consumer, holder, end, clock.now())) || !(await lease()))
          return 'busy';
        offset = end;
      }
    } finally {
      await range.close();
    }
    return 'done';
  } finally {
    await streams.releaseOffset(consumer, holder);
  }
}

/** Two reads by key. A lease is a write, and consumers ask every second. */
async function hasUnread(consumer: Consumer, streams: ConsumeNeeds['streams']): Promise<boolean> {
  const state = await streams.findState(consumer.stream);
  if (!state) return false;
  const consumed = await streams.findOffset(consumer);
  return Math.max(consumed?.offset ?? 0, state.start) < state.end;
}
