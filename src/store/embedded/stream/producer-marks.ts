/**
 * Producer marks: how far each producer has come. A mark moves by compare-and-set in the transaction of the append, which makes the
 * append idempotent (exactly-once). Every method runs within the caller's transaction.
 */
import type { ProducerMarkMove } from '../../stream-store.ts';
import type { Database } from '../database.ts';

export class ProducerMarks {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** False where the mark is not at `from`. */
  move({ producer, from, to }: ProducerMarkMove, nowMs: number): boolean {
    const { changes } =
      from === undefined
        ? this.#database
            .prepare('insert into mark (writer, value, moved_ms) values (?, ?, ?) on conflict do nothing')
            .run(producer, to, nowMs)
        : this.#database
            .prepare('update mark set value = ?, moved_ms = ? where writer = ? and value = ?')
            .run(to, nowMs, producer, from);
    return changes === 1;
  }

  removeIdle(producerPrefix: string, beforeMs: number): void {
    this.#database
      .prepare('delete from mark where substr(writer, 1, length(?)) = ? and moved_ms < ?')
      .run(producerPrefix, producerPrefix, beforeMs);
  }
}
