/**
 * Appends. Those that several callers make while a transaction is on its way share the next one. It moves the marks of producers, and locks the row of
 * each stream until it is committed: so offsets follow the order of commits, on all nodes.
 */
import { minuteMs } from '../../../model/durations.ts';
import type { FencingToken } from '../../lease/fencing-token.ts';
import { assertAppendable } from '../../stream/check-append.ts';
import { GroupCommit } from '../../stream/group-commit.ts';
import type { Lines, ProducerMarkMove, StreamName } from '../../stream-store.ts';
import { admitTokens } from '../lease/fences.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import { type Chunk, type MinuteLines, planChunks, type StreamHead } from './chunk-plan.ts';
import { moveMarks } from './producer-marks.ts';

/** Of notifications about streams that have grown; the payload is the name of the stream. */
export const appendTopic = 'streams';

/** Bytes and rows of one statement: encoding them must not block the event loop for long. */
const statementBytes = 1 << 20;
const statementRows = 1000;

export interface Append {
  readonly lines: readonly Lines[];
  readonly nowMs: number;
  readonly mark: ProducerMarkMove | undefined;
  readonly fence: FencingToken | undefined;
}

export class AppendLog {
  readonly #database: PostgresDatabase;
  readonly #group = new GroupCommit<Append>((appends) => this.#commit(appends));

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async append(append: Append): Promise<boolean> {
    const { lines } = append;
    assertAppendable(lines);
    const size = lines.reduce((sum, { bytes }) => sum + bytes.length, 0);
    return this.#group.run<boolean>(append, size);
  }

  #commit(appends: readonly Append[]): Promise<readonly boolean[]> {
    return this.#database.write(async (sql) => {
      const admitted = await admitTokens(
        sql,
        appends.map(({ fence }) => fence),
      );
      const moves = appends.map(({ mark, nowMs }, index) =>
        mark && admitted[index] ? { ...mark, nowMs } : undefined,
      );
      const moved = await moveMarks(sql, moves);
      const outcomes = appends.map((_, index) => admitted[index] === true && moved[index] === true);
      const lines = appends.filter((_, index) => outcomes[index]).flatMap(minuteLinesOf);
      if (lines.length > 0) await this.#appendLines(sql, lines);
      return outcomes;
    });
  }

  async #appendLines(sql: Transaction, lines: readonly MinuteLines[]): Promise<void> {
    const names = [...new Set(lines.map(({ stream }) => stream))].sort();
    const heads = await lockHeads(sql, names);
    const plans = heads.map((head) =>
      planChunks(
        head,
        lines.filter(({ stream }) => stream === head.name),
      ),
    );
    await insertChunks(
      sql,
      plans.flatMap(({ chunks }) => chunks),
    );
    await this.#moveHeads(
      sql,
      plans.map(({ head }) => head),
    );
  }

  /** Listeners are notified when the transaction is committed. */
  async #moveHeads(sql: Transaction, heads: readonly StreamHead[]): Promise<void> {
    await sql`
      with moved as (
        update stream set end_byte = head.end_byte, end_line = head.end_line, last_minute = head.last_minute,
          first_minute = case when stream.start_byte < stream.end_byte then first_minute
            else (select minute from stream_chunk
              where stream_chunk.stream = stream.name and stream_chunk.start_byte = stream.end_byte) end
        from unnest(${heads.map(({ name }) => name)}::text[], ${heads.map((head) => head.end_byte)}::bigint[],
          ${heads.map((head) => head.end_line)}::bigint[], ${heads.map((head) => head.last_minute)}::bigint[])
          as head (name, end_byte, end_line, last_minute)
        where stream.name = head.name returning stream.name)
      select pg_notify(${this.#database.channelOf(appendTopic)}, name) from moved`;
  }
}

function minuteLinesOf({ lines, nowMs }: Append): readonly MinuteLines[] {
  const minute = Math.floor(nowMs / minuteMs);
  return lines
    .filter(({ bytes }) => bytes.length > 0)
    .map(({ stream, bytes }) => ({ stream, bytes, minute }));
}

/** In the order of names, so that no two transactions wait for each other. Leaves alone who only protects a range from deletion. */
async function lockHeads(sql: Transaction, names: readonly StreamName[]): Promise<readonly StreamHead[]> {
  const lock = () => sql<StreamHead[]>`
    select name, end_byte, end_line, last_minute from stream where name = any(${names})
    order by name for no key update`;
  const heads = await lock();
  if (heads.length === names.length) return heads;
  await sql`insert into stream (name) select name from unnest(${names}::text[]) as appended (name)
    order by name collate "C" on conflict do nothing`;
  return lock();
}

async function insertChunks(sql: Transaction, chunks: readonly Chunk[]): Promise<void> {
  for (let at = 0; at < chunks.length; ) {
    const rows: Chunk[] = [];
    for (let bytes = 0; at < chunks.length && rows.length < statementRows; at += 1) {
      const chunk = chunks[at] as Chunk;
      bytes += chunk.size;
      if (rows.length > 0 && bytes > statementBytes) break;
      rows.push(chunk);
    }
    await sql`insert into stream_chunk ${sql(rows)}`;
  }
}
