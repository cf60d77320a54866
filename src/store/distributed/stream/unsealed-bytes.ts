/** How much of the streams is in PostgreSQL. It grows as fast as the streams while the object store is away. */
import type { PostgresDatabase } from '../postgres/database.ts';

/** Chunks follow one another up to the end of their stream, so the first one of each is enough. */
export async function unsealedBytes(database: PostgresDatabase): Promise<number> {
  const [sum] = await database.read(
    (sql) => sql<{ bytes: number }[]>`
      select coalesce(sum(end_byte - first.start_byte), 0)::bigint as bytes
      from stream, lateral (
        select start_byte from stream_chunk where stream_chunk.stream = stream.name order by start_byte limit 1) as first`,
  );
  return sum?.bytes ?? 0;
}

/** What to do; undefined where there is nothing to do. */
export function unsealedAdvice(bytes: number, bytesMax: number): string | undefined {
  if (bytes <= bytesMax) return undefined;
  const gigabytes = (count: number) => `${(count / 1e9).toFixed(1)} GB`;
  return `${gigabytes(bytes)} of feeds and channels wait in PostgreSQL for the object store, more than store.unsealedBytesMax (${gigabytes(bytesMax)}): see that a worker runs and the object store answers, before the disk of PostgreSQL is full`;
}
