/** Consumer offsets and the leases on them. */
import { reorderingMs } from '../../../concurrency/reordering.ts';
import type { Consumer, ConsumerOffset, LeasedOffset, Offset, StreamName } from '../../stream-store.ts';
import type { PostgresDatabase, Sql } from '../postgres/database.ts';

/** Sorts behind every name with a prefix. */
const lastCharacter = '\u{10ffff}';

export class ConsumerOffsets {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async find({ stream, name }: Consumer): Promise<ConsumerOffset | undefined> {
    const [row] = await this.#database.read(
      (sql) => sql<ConsumerOffset[]>`
        select next_byte as offset, used_ms as "usedMs" from consumer_offset
        where stream = ${stream} and name = ${name} and next_byte is not null`,
    );
    return row;
  }

  async list(
    stream: StreamName,
    namePrefix: string,
    limit: number,
  ): Promise<readonly (ConsumerOffset & { readonly name: string })[]> {
    const rows = await this.#database.read(
      (sql) => sql<(ConsumerOffset & { name: string })[]>`
        select name, next_byte as offset, used_ms as "usedMs" from consumer_offset
        where stream = ${stream} and name >= ${namePrefix} and name < ${namePrefix + lastCharacter}
          and next_byte is not null
        order by name limit ${limit}`,
    );
    return [...rows];
  }

  async lease(
    { stream, name }: Consumer,
    holder: string,
    nowMs: number,
    untilMs: number,
  ): Promise<LeasedOffset | undefined> {
    const acquire = async (sql: Sql) => {
      const [row] = await sql<{ offset: Offset | null }[]>`
        update consumer_offset set holder = ${holder}, held_until_ms = ${untilMs}, used_ms = ${nowMs}
        where stream = ${stream} and name = ${name} and used_ms <= ${nowMs + reorderingMs}
          and (holder is null or holder = ${holder} or held_until_ms < ${nowMs})
        returning next_byte as offset`;
      return row && { offset: row.offset ?? undefined };
    };
    // Mostly it exists, and is free.
    const leased = await this.#database.read(acquire);
    if (leased) return leased;
    return this.#database.writeRepeatable(async (sql) => {
      await sql`insert into consumer_offset (stream, name, used_ms) values (${stream}, ${name}, ${nowMs})
        on conflict do nothing`;
      // A lease from later than now shows that the clock was set back: it lasts its own time from here, not until that time returns.
      await sql`update consumer_offset
        set held_until_ms = ${nowMs}::bigint + greatest(0, held_until_ms - used_ms), used_ms = ${nowMs}
        where stream = ${stream} and name = ${name} and used_ms > ${nowMs + reorderingMs}`;
      return acquire(sql);
    });
  }

  async commit({ stream, name }: Consumer, holder: string, to: Offset, nowMs: number): Promise<boolean> {
    const moved = await this.#database.read(
      (sql) => sql`update consumer_offset set next_byte = ${to}, used_ms = ${nowMs}
        where stream = ${stream} and name = ${name} and holder = ${holder}`,
    );
    return moved.count === 1;
  }

  async release({ stream, name }: Consumer, holder: string): Promise<void> {
    await this.#database.writeRepeatable(async (sql) => {
      await sql`update consumer_offset set holder = null
        where stream = ${stream} and name = ${name} and holder = ${holder}`;
      await sql`delete from consumer_offset
        where stream = ${stream} and name = ${name} and holder is null and next_byte is null`;
    });
  }

  async remove({ stream, name }: Consumer): Promise<boolean> {
    const [row] = await this.#database.write(
      (sql) => sql<{ offset: Offset | null }[]>`
        delete from consumer_offset where stream = ${stream} and name = ${name} returning next_byte as offset`,
    );
    return row !== undefined && row.offset !== null;
  }

  async removeIdle(stream: StreamName, namePrefix: string, beforeMs: number): Promise<void> {
    await this.#database.writeRepeatable(
      (sql) => sql`delete from consumer_offset
        where stream = ${stream} and starts_with(name, ${namePrefix}) and used_ms < ${beforeMs}
          and (holder is null or held_until_ms < ${beforeMs})`,
    );
  }
}
