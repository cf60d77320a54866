/** What a copy of streams needs beside their lines: where each of them begins, and its minutes. */
import type { StreamMinute, StreamStart } from '../../copy/copied-streams.ts';
import type { StreamName } from '../../stream-store.ts';
import { type Database, write } from '../database.ts';

export function findStart(database: Database, stream: StreamName): StreamStart {
  const segment = database.prepare(
    'select start_byte as byte, start_line as line from segment where stream = ? order by start_byte limit 1',
  );
  const whole = database.prepare('select bytes as byte, lines as line from stream where name = ?');
  return (segment.get(stream) ?? whole.get(stream)) as StreamStart;
}

export function listMinutes(
  database: Database,
  stream: StreamName,
  after: number,
  limit: number,
): readonly StreamMinute[] {
  return database
    .prepare(
      `select minute, start_byte as "from", start_byte + bytes as "to" from segment
       where stream = ? and minute > ? order by minute limit ?`,
    )
    .all(stream, after, limit) as StreamMinute[];
}

/** A stream without lines, whose first line will have this offset. One that is there stays as it is. */
export async function beginStream(
  database: Database,
  stream: StreamName,
  { byte, line }: StreamStart,
): Promise<void> {
  await write(database, () =>
    database
      .prepare('insert into stream (name, bytes, lines) values (?, ?, ?) on conflict do nothing')
      .run(stream, byte, line),
  );
}
