/** The places of readers and who holds them, and the marks of writers. All of it within a transaction of the caller's. */
import type { HeldPlace, MarkMove, Offset, Reader } from '../../stream-store.ts';
import type { Database } from '../database.ts';

export class ReaderPlaces {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  hold({ stream, name }: Reader, holder: string, nowMs: number, untilMs: number): HeldPlace | undefined {
    this.#database
      .prepare('insert into reader (stream, name, used_ms) values (?, ?, ?) on conflict do nothing')
      .run(stream, name, nowMs);
    const row = this.#database
      .prepare(
        'update reader set holder = ?, held_until_ms = ?, used_ms = ? where stream = ? and name = ? ' +
          'and (holder is null or holder = ? or held_until_ms < ?) returning place',
      )
      .get(holder, untilMs, nowMs, stream, name, holder, nowMs) as { place: Offset | null } | undefined;
    return row && { place: row.place ?? undefined };
  }

  move({ stream, name }: Reader, holder: string, to: Offset, nowMs: number): boolean {
    const { changes } = this.#database
      .prepare('update reader set place = ?, used_ms = ? where stream = ? and name = ? and holder = ?')
      .run(to, nowMs, stream, name, holder);
    return changes === 1;
  }

  release({ stream, name }: Reader, holder: string): void {
    this.#database
      .prepare('update reader set holder = null where stream = ? and name = ? and holder = ?')
      .run(stream, name, holder);
    this.#database
      .prepare('delete from reader where stream = ? and name = ? and holder is null and place is null')
      .run(stream, name);
  }

  remove({ stream, name }: Reader): boolean {
    const row = this.#database
      .prepare('delete from reader where stream = ? and name = ? returning place')
      .get(stream, name) as { place: Offset | null } | undefined;
    return row !== undefined && row.place !== null;
  }

  removeIdle(stream: string, namePrefix: string, beforeMs: number): void {
    this.#database
      .prepare(
        'delete from reader where stream = ? and substr(name, 1, length(?)) = ? and used_ms < ? ' +
          'and (holder is null or held_until_ms < ?)',
      )
      .run(stream, namePrefix, namePrefix, beforeMs, beforeMs);
  }
}

export class WriterMarks {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** False where the mark stands elsewhere. */
  move({ writer, from, to }: MarkMove, nowMs: number): boolean {
    const { changes } =
      from === undefined
        ? this.#database
            .prepare('insert into mark (writer, value, moved_ms) values (?, ?, ?) on conflict do nothing')
            .run(writer, to, nowMs)
        : this.#database
            .prepare('update mark set value = ?, moved_ms = ? where writer = ? and value = ?')
            .run(to, nowMs, writer, from);
    return changes === 1;
  }

  removeIdle(writerPrefix: string, beforeMs: number): void {
    this.#database
      .prepare('delete from mark where substr(writer, 1, length(?)) = ? and moved_ms < ?')
      .run(writerPrefix, writerPrefix, beforeMs);
  }
}
