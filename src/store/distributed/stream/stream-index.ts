/** What is stored of each stream. Every question is a few lookups in an index, however much that is. */
import type { Offset, StreamName, StreamState } from '../../stream-store.ts';
import type { PostgresDatabase, Sql } from '../postgres/database.ts';

export class StreamIndex {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async findState(stream: StreamName): Promise<StreamState | undefined> {
    const [state] = await this.#database.read(
      (sql) => sql<StreamState[]>`
        select first_minute as "earliestMinute", last_minute as "latestMinute", start_byte as start, end_byte as end,
          end_line - start_line as lines
        from stream where name = ${stream}`,
    );
    if (!state || state.start < state.end) return state;
    return { ...state, earliestMinute: 0, latestMinute: 0 };
  }

  offsetAt(stream: StreamName, minute: number): Promise<Offset> {
    return this.#database.read((sql) => offsetAt(sql, stream, minute));
  }

  async countLines(stream: StreamName, from: Offset, to: Offset): Promise<number> {
    if (to <= from) return 0;
    const [found] = await this.#database.read(
      (sql) => sql<{ before: number | null; behind: number | null }[]>`
        select
          coalesce(
            (select start_line from stream_chunk where stream = ${stream} and start_byte <= ${from}
              order by start_byte desc limit 1),
            (select start_line from stream_segment where stream = ${stream} and start_byte <= ${from}
              order by start_byte desc limit 1),
            (select start_line from stream where name = ${stream})) as before,
          coalesce(
            (select start_line + lines from stream_chunk where stream = ${stream} and start_byte < ${to}
              order by start_byte desc limit 1),
            (select start_line + lines from stream_segment where stream = ${stream} and start_byte < ${to}
              order by start_byte desc limit 1)) as behind`,
    );
    return Math.max(0, (found?.behind ?? 0) - (found?.before ?? 0));
  }

  async listStreams(): Promise<readonly StreamName[]> {
    const rows = await this.#database.read(
      (sql) => sql<{ name: string }[]>`select name from stream order by name`,
    );
    return rows.map(({ name }) => name);
  }
}

/** The offset before the first line of this minute or a later one. */
export async function offsetAt(sql: Sql, stream: StreamName, minute: number): Promise<Offset> {
  const [found] = await sql<{ offset: Offset }[]>`
    select coalesce(
      (select start_byte from stream_segment where stream = ${stream} and minute >= ${minute}
        order by minute, start_byte limit 1),
      (select start_byte from stream_chunk where stream = ${stream} and minute >= ${minute}
        order by minute, start_byte limit 1),
      (select end_byte from stream where name = ${stream}),
      0) as offset`;
  return found?.offset ?? 0;
}
