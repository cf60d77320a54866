/** Reads all streams: names what is damaged, and moves consumers behind it if an operator decides so. */
import { type Damage, DamagedData } from '../../damage.ts';
import { type SkipNeeds, skipSegment } from '../../stream/skip-segment.ts';
import type { Offset, SkippedConsumer, StreamName } from '../../stream-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import type { RangeLeases } from './range-leases.ts';
import type { StreamIndex } from './stream-index.ts';
import type { StreamPart, StreamParts } from './stream-parts.ts';

export interface VerifyNeeds {
  readonly database: PostgresDatabase;
  readonly index: StreamIndex;
  readonly leases: RangeLeases;
  /** Without a cache. */
  readonly parts: StreamParts;
}

export async function* verifyStreams(
  needs: VerifyNeeds,
  onProgress?: (done: number, all: number) => void,
): AsyncGenerator<Damage> {
  const [{ all } = { all: 0 }] = await needs.database.read(
    (sql) =>
      sql<{ all: number }[]>`select coalesce(sum(end_byte - start_byte), 0)::bigint as all from stream`,
  );
  let done = 0;
  for (const stream of await needs.index.listStreams()) {
    for await (const found of verifyStream(needs, stream)) {
      if ('problem' in found) yield found;
      else onProgress?.((done += found.size), Math.max(done, all));
    }
  }
}

/** Each part when it was read, after what is damaged in it. */
async function* verifyStream(needs: VerifyNeeds, stream: StreamName): AsyncGenerator<Damage | StreamPart> {
  const range = await needs.leases.acquire(stream, 0, Number.MAX_SAFE_INTEGER);
  if (!range) return;
  try {
    for await (const part of needs.parts.scan(stream, range.from, range.to)) {
      const damage = await findDamage(part);
      if (damage) yield damage;
      yield part;
    }
  } catch (error) {
    if (!(error instanceof DamagedData)) throw error;
    yield error;
  } finally {
    await range.release();
  }
}

/** The first of a part. */
async function findDamage(part: StreamPart): Promise<DamagedData | undefined> {
  try {
    for await (const _ of part.read(0, part.size));
    return undefined;
  } catch (error) {
    if (error instanceof DamagedData) return error;
    throw error;
  }
}

export async function skipDamaged(needs: VerifyNeeds, skip: SkipNeeds): Promise<readonly SkippedConsumer[]> {
  const skipped: SkippedConsumer[] = [];
  for (const stream of await needs.index.listStreams()) {
    const range = await needs.leases.acquire(stream, 0, Number.MAX_SAFE_INTEGER);
    try {
      for await (const part of needs.parts.scan(stream, range?.from ?? 0, range?.to ?? 0)) {
        if (!(await findDamage(part))) continue;
        const consumers = await consumersIn(needs.database, stream, part);
        skipped.push(
          ...(await skipSegment({ startByte: part.startByte, bytes: part.size }, consumers, skip)),
        );
      }
    } finally {
      await range?.release();
    }
  }
  return skipped;
}

function consumersIn(database: PostgresDatabase, stream: StreamName, { startByte, size }: StreamPart) {
  return database.read(
    (sql) => sql<{ stream: StreamName; name: string; offset: Offset }[]>`
      select stream, name, next_byte as offset from consumer_offset
      where stream = ${stream} and next_byte >= ${startByte} and next_byte < ${startByte + size} order by name`,
  );
}
