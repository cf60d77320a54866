/** Moves consumers that stopped in a damaged segment behind it. Their lines in it are lost to them: only an operator decides that. */
import { randomUUID } from 'node:crypto';
import type { Consumer, Offset, SkippedConsumer, StreamStore } from '../stream-store.ts';

const leaseMs = 1000;

export interface SkipNeeds {
  readonly store: Pick<StreamStore, 'leaseOffset' | 'commitOffset' | 'releaseOffset'>;
  readonly nowMs: number;
}

export async function skipSegment(
  segment: { readonly startByte: Offset; readonly bytes: number },
  consumers: readonly (Consumer & { readonly offset: Offset })[],
  { store, nowMs }: SkipNeeds,
): Promise<SkippedConsumer[]> {
  const end = segment.startByte + segment.bytes;
  const skipped: SkippedConsumer[] = [];
  for (const { stream, name, offset } of consumers) {
    if (offset < segment.startByte || offset >= end) continue;
    const holder = randomUUID();
    const leased = await store.leaseOffset({ stream, name }, holder, nowMs, nowMs + leaseMs);
    const isMoved = leased !== undefined && (await store.commitOffset({ stream, name }, holder, end, nowMs));
    if (leased) await store.releaseOffset({ stream, name }, holder);
    skipped.push({ stream, name, from: offset, to: isMoved ? end : undefined });
  }
  return skipped;
}
