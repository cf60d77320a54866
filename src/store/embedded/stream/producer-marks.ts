/**
 * Producer marks: how far each producer has come. A mark moves by compare-and-set in the transaction of the append, which makes the
 * append idempotent (exactly-once). Every method runs within the caller's transaction.
 */
import type { ProducerMarkMove } from '../../stream-store.ts';
import type { Database } from '../database.ts';

export class ProducerMarks {
  readonly #insert;
  readonly #move;
  readonly #removeIdle;

  constructor(database: Database) {
    this.#insert = database.prepare(
      'insert into mark (writer, value, moved_ms) values (?, ?, ?) on conflict do nothing',
    );
    this.#move = database.prepare('update mark set value = ?, moved_ms = ? where writer = ? and value = ?');
    this.#removeIdle = database.prepare(
      'delete from mark where substr(writer, 1, length(?)) = ? and moved_ms < ?',
    );
  }

  /** False where the mark is not at `from`. */
  move({ producer, from, to }: ProducerMarkMove, nowMs: number): boolean {
    const { changes } =
      from === undefined ? this.#insert.run(producer, to, nowMs) : this.#move.run(to, nowMs, producer, from);
    return changes === 1;
  }

  removeIdle(producerPrefix: string, beforeMs: number): void {
    this.#removeIdle.run(producerPrefix, producerPrefix, beforeMs);
  }
}
