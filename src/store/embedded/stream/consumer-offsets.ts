/**
 * Consumer offsets and the leases on them. In the database a consumer is a `reader`, its offset a `place`. Every method runs within
 * the caller's transaction.
 */

import { reorderingMs } from '../../../concurrency/reordering.ts';
import type { Consumer, LeasedOffset, Offset } from '../../stream-store.ts';
import type { Database } from '../database.ts';

export class ConsumerOffsets {
  readonly #insert;
  readonly #setClockBack;
  readonly #lease;
  readonly #commit;
  readonly #release;
  readonly #forget;
  readonly #remove;
  readonly #removeIdle;

  constructor(database: Database) {
    this.#insert = database.prepare(
      'insert into reader (stream, name, used_ms) values (?, ?, ?) on conflict do nothing',
    );
    this.#setClockBack = database.prepare(
      'update reader set held_until_ms = :nowMs + max(0, held_until_ms - used_ms), used_ms = :nowMs ' +
        'where stream = :stream and name = :name and used_ms > :nowMs + :reorderingMs',
    );
    this.#lease = database.prepare(
      'update reader set holder = ?, held_until_ms = ?, used_ms = ? where stream = ? and name = ? ' +
        'and (holder is null or holder = ? or held_until_ms < ?) returning place',
    );
    this.#commit = database.prepare(
      'update reader set place = ?, used_ms = ? where stream = ? and name = ? and holder = ?',
    );
    this.#release = database.prepare(
      'update reader set holder = null where stream = ? and name = ? and holder = ?',
    );
    this.#forget = database.prepare(
      'delete from reader where stream = ? and name = ? and holder is null and place is null',
    );
    this.#remove = database.prepare('delete from reader where stream = ? and name = ? returning place');
    this.#removeIdle = database.prepare(
      'delete from reader where stream = ? and substr(name, 1, length(?)) = ? and used_ms < ? ' +
        'and (holder is null or held_until_ms < ?)',
    );
  }

  lease(
    { stream, name }: Consumer,
    holder: string,
    nowMs: number,
    untilMs: number,
  ): LeasedOffset | undefined {
    this.#insert.run(stream, name, nowMs);
    // A lease from later than now shows that the clock was set back: it lasts its own time from here, not until that time returns.
    this.#setClockBack.run({ stream, name, nowMs, reorderingMs });
    const row = this.#lease.get(holder, untilMs, nowMs, stream, name, holder, nowMs) as
      | { place: Offset | null }
      | undefined;
    return row && { offset: row.place ?? undefined };
  }

  commit({ stream, name }: Consumer, holder: string, to: Offset, nowMs: number): boolean {
    return this.#commit.run(to, nowMs, stream, name, holder).changes === 1;
  }

  release({ stream, name }: Consumer, holder: string): void {
    this.#release.run(stream, name, holder);
    this.#forget.run(stream, name);
  }

  remove({ stream, name }: Consumer): boolean {
    const row = this.#remove.get(stream, name) as { place: Offset | null } | undefined;
    return row !== undefined && row.place !== null;
  }

  removeIdle(stream: string, namePrefix: string, beforeMs: number): void {
    this.#removeIdle.run(stream, namePrefix, namePrefix, beforeMs, beforeMs);
  }
}
