/**
 * A later stage of the pipeline: reads a stream from its stored place, hands on whole lines, and moves the place behind what
 * was taken. Lines are handed on at least once, in order; after a kill the same stretch may come again, in other cuts. A stage
 * that writes idempotently, or under a mark that it moves from `from` to `to` together with what it writes, has the effect of
 * each line exactly once.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../model/clock.ts';
import { scanLines } from './line-slices.ts';
import type { Offset, Reader, StreamStore } from './stream-store.ts';

/** A stage that neither finishes a slice nor comes for the next one within this has lost its place to another process. */
const holdMs = 60_000;
const sliceBytes = 1 << 20;

export interface Delivery {
  /** Whole lines. */
  readonly bytes: Uint8Array;
  readonly from: Offset;
  readonly to: Offset;
}

export interface ConsumeNeeds {
  readonly streams: Pick<StreamStore, 'findState' | 'openRange' | 'holdPlace' | 'movePlace' | 'releasePlace'>;
  readonly clock: Clock;
}

/**
 * Hands on everything that is there. `busy`: another process is this stage now. A reader without a place begins with the
 * first line that is kept.
 */
export async function consumeStream(
  reader: Reader,
  { streams, clock }: ConsumeNeeds,
  take: (delivery: Delivery) => Promise<void>,
): Promise<'done' | 'busy'> {
  const holder = randomUUID();
  const hold = () => streams.holdPlace(reader, holder, clock.now(), clock.now() + holdMs);
  const held = await hold();
  if (!held) return 'busy';
  try {
    const state = await streams.findState(reader.stream);
    let place = Math.max(held.place ?? 0, state?.start ?? 0);
    const range = state && (await streams.openRange(reader.stream, place, state.end));
    if (!range) return 'done';
    try {
      for await (const { bytes, end } of scanLines(range, { bytesMax: sliceBytes })) {
        await take({ bytes, from: place, to: end });
        if (!(await streams.movePlace(reader, holder, end, clock.now())) || !(await hold())) return 'busy';
        place = end;
      }
    } finally {
      await range.close();
    }
    return 'done';
  } finally {
    await streams.releasePlace(reader, holder);
  }
}
