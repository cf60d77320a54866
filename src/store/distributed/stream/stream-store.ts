/**
 * Streams that several nodes share: heads, marks, consumers and the lines of the last minutes in PostgreSQL, older lines in S3. While S3 is away, appends and
 * the last minutes work, and older ranges are a problem to try again.
 */
import type { Offset, OpenRange, StreamName, StreamStore } from '../../stream-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import type { Objects } from '../s3/open-objects.ts';
import { AppendLog, appendTopic } from './append-log.ts';
import { ConsumerOffsets } from './consumer-offsets.ts';
import { findProducerMark, removeIdleProducerMarks } from './producer-marks.ts';
import { pruneSegments } from './prune-segments.ts';
import { type LeasedRange, RangeLeases } from './range-leases.ts';
import { sealSegments } from './seal-segments.ts';
import { StreamIndex } from './stream-index.ts';
import { StreamParts } from './stream-parts.ts';
import { unsealedBytes } from './unsealed-bytes.ts';
import { skipDamaged, verifyStreams } from './verify-streams.ts';

export interface DistributedStreamStore extends StreamStore {
  /** Moves the lines of closed minutes to S3, until nothing is left or the signal. Returns how many segments were made. */
  sealSegments(nowMs: number, signal?: AbortSignal): Promise<number>;

  /** Bytes that are in PostgreSQL: those of the last minutes, and of all later ones while S3 is away. */
  findUnsealedBytes(): Promise<number>;
}

export function openStreamStore(database: PostgresDatabase, objects: Objects): DistributedStreamStore {
  const log = new AppendLog(database);
  const index = new StreamIndex(database);
  const offsets = new ConsumerOffsets(database);
  const leases = new RangeLeases(database);
  const parts = new StreamParts(database, objects.reader);
  const verifyNeeds = () => ({
    database,
    index,
    leases,
    parts: new StreamParts(database, objects.newReader()),
  });

  const store: DistributedStreamStore = {
    append: (lines, nowMs, mark, fence) => log.append({ lines, nowMs, mark, fence }),
    findProducerMark: (producer) => findProducerMark(database, producer),
    removeIdleProducerMarks: (prefix, beforeMs) => removeIdleProducerMarks(database, prefix, beforeMs),
    findState: (stream) => index.findState(stream),
    offsetAt: (stream, minute) => index.offsetAt(stream, minute),
    countLines: (stream, from, to) => index.countLines(stream, from, to),
    openRange: async (stream, from, to) => {
      const leased = await leases.acquire(stream, from, to);
      return leased && rangeOf(parts, stream, leased);
    },
    findOffset: (consumer) => offsets.find(consumer),
    listConsumers: (stream, namePrefix, limit) => offsets.list(stream, namePrefix, limit),
    leaseOffset: (consumer, holder, nowMs, untilMs) => offsets.lease(consumer, holder, nowMs, untilMs),
    commitOffset: (consumer, holder, to, nowMs) => offsets.commit(consumer, holder, to, nowMs),
    releaseOffset: (consumer, holder) => offsets.release(consumer, holder),
    removeConsumer: (consumer) => offsets.remove(consumer),
    removeIdleConsumers: (stream, namePrefix, beforeMs) => offsets.removeIdle(stream, namePrefix, beforeMs),
    pruneSegments: (stream, beforeMinute) => pruneSegments(database, objects.stored, stream, beforeMinute),
    listStreams: () => index.listStreams(),
    verify: (onProgress) => verifyStreams(verifyNeeds(), onProgress),
    skipDamaged: (nowMs) => skipDamaged(verifyNeeds(), { store, nowMs }),
    sealSegments: (nowMs, signal) =>
      sealSegments({ database, objects: objects.stored, parts }, nowMs, signal),
    findUnsealedBytes: () => unsealedBytes(database),
    growth: database.signals(appendTopic),
    close: () => leases.close(),
  };
  return store;
}

function rangeOf(parts: StreamParts, stream: StreamName, leased: LeasedRange): OpenRange {
  const { from, to } = leased;
  return {
    from,
    to,
    read: (first = from, last = to) => readRange(parts, stream, Math.max(first, from), Math.min(last, to)),
    close: () => leased.release(),
  };
}

async function* readRange(
  parts: StreamParts,
  stream: StreamName,
  from: Offset,
  to: Offset,
): AsyncGenerator<Uint8Array> {
  for await (const part of parts.scan(stream, from, to))
    yield* part.read(Math.max(0, from - part.startByte), Math.min(part.size, to - part.startByte));
}
