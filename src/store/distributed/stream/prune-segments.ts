import type { Offset, StreamName } from '../../stream-store.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import type { StoredObjects } from '../s3/stored-objects.ts';
import { offsetAt } from './stream-index.ts';

/** Segments deleted in one transaction: appends to the stream wait for it. */
const batchSize = 1000;

/** Deletes lines of minutes before this one, except those in a range that is open. */
export async function pruneSegments(
  database: PostgresDatabase,
  objects: StoredObjects,
  stream: StreamName,
  beforeMinute: number,
): Promise<void> {
  for (;;) {
    const removed = await database.write((sql) => pruneBatch(sql, objects, stream, beforeMinute));
    if (removed < batchSize) return;
  }
}

async function pruneBatch(
  sql: Transaction,
  objects: StoredObjects,
  stream: StreamName,
  beforeMinute: number,
): Promise<number> {
  const heads = await sql`select name from stream where name = ${stream} for update`;
  if (heads.length === 0) return 0;
  await sql`delete from range_lease where stream = ${stream} and until < now()`;
  const [leased] = await sql<{ from: Offset | null }[]>`
    select min(from_byte) as from from range_lease where stream = ${stream}`;
  const wanted = await offsetAt(sql, stream, beforeMinute);
  const to = Math.min(wanted, leased?.from ?? wanted);
  const removed = await sql<{ object: string }[]>`
    delete from stream_segment where stream = ${stream} and start_byte = any(array(
      select start_byte from stream_segment where stream = ${stream} and start_byte < ${to}
      order by start_byte limit ${batchSize}))
    and start_byte + size <= ${to} returning object`;
  await objects.drop(
    sql,
    removed.map(({ object }) => object),
  );
  // Chunks come after all segments.
  if (removed.length < batchSize)
    await sql`delete from stream_chunk where stream = ${stream} and start_byte < ${to} and start_byte + size <= ${to}`;
  await moveStart(sql, stream);
  return removed.length;
}

/** To the first line that is left, or else to the end. */
async function moveStart(sql: Transaction, stream: StreamName): Promise<void> {
  await sql`
    update stream set start_byte = coalesce(first.start_byte, end_byte),
      start_line = coalesce(first.start_line, end_line), first_minute = coalesce(first.minute, last_minute)
    from (select 1) as always
    left join lateral (
      (select start_byte, start_line, minute from stream_segment where stream = ${stream} order by start_byte limit 1)
      union all
      (select start_byte, start_line, minute from stream_chunk where stream = ${stream} order by start_byte limit 1)
      order by start_byte limit 1) as first on true
    where name = ${stream}`;
}
