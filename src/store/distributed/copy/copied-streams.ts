/** What a copy of streams needs beside their lines: where each of them begins, and its minutes. */
import type { StreamMinute, StreamStart } from '../../copy/copied-streams.ts';
import type { StreamName } from '../../stream-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';

export async function findStart(database: PostgresDatabase, stream: StreamName): Promise<StreamStart> {
  const [row] = await database.read(
    (sql) => sql<StreamStart[]>`
      select start_byte as byte, start_line as line from stream where name = ${stream}`,
  );
  return row as StreamStart;
}

export async function listMinutes(
  database: PostgresDatabase,
  stream: StreamName,
  after: number,
  limit: number,
): Promise<readonly StreamMinute[]> {
  return database.read(
    (sql) => sql<StreamMinute[]>`
      select minute, min(start_byte) as from, max(start_byte + size) as to from (
        select minute, start_byte, size from stream_segment where stream = ${stream} and minute > ${after}
        union all
        select minute, start_byte, size from stream_chunk where stream = ${stream} and minute > ${after}) as part
      group by minute order by minute limit ${limit}`,
  );
}

/** A stream without lines, whose first line will have this offset. One that is there stays as it is. */
export async function beginStream(
  database: PostgresDatabase,
  stream: StreamName,
  { byte, line }: StreamStart,
): Promise<void> {
  await database.writeRepeatable(
    (sql) => sql`
      insert into stream (name, start_byte, start_line, end_byte, end_line)
      values (${stream}, ${byte}, ${line}, ${byte}, ${line}) on conflict do nothing`,
  );
}
