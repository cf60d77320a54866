/**
 * Who has which stretch of a stream open. A file of its own, because a lease need not survive a power cut and taking one
 * should not wait for a disk. Leases of processes that are gone are gone.
 */
import { join } from 'node:path';
import type { StreamName } from '../../stream-store.ts';
import { type Database, openDatabase, write } from '../database.ts';
import { isAlive, ownLife, type ProcessLife } from '../process-life.ts';

export class Leases {
  readonly #database: Database;
  readonly #held = new Set<number>();

  constructor(root: string) {
    this.#database = openDatabase(join(root, 'leases.db'), 'leases', 'normal');
  }

  async take(stream: StreamName, fromMinute: number): Promise<number> {
    const own = ownLife();
    const id = await write(this.#database, () =>
      Number(
        this.#database
          .prepare('insert into lease (process, started, stream, from_minute) values (?, ?, ?, ?)')
          .run(own.process, own.started, stream, fromMinute).lastInsertRowid,
      ),
    );
    this.#held.add(id);
    return id;
  }

  async give(id: number): Promise<void> {
    if (!this.#held.delete(id)) return;
    await write(this.#database, () => this.#database.prepare('delete from lease where id = ?').run(id));
  }

  /** The earliest minute that somebody has open. */
  async findEarliest(stream: StreamName): Promise<number | undefined> {
    await this.#dropTheDead();
    const earliest = this.#database
      .prepare('select min(from_minute) from lease where stream = ?')
      .pluck()
      .get(stream) as number | null;
    return earliest ?? undefined;
  }

  async #dropTheDead(): Promise<void> {
    const holders = this.#database
      .prepare('select distinct process, started from lease')
      .all() as ProcessLife[];
    const dead = holders.filter((holder) => !isAlive(holder));
    if (dead.length === 0) return;
    await write(this.#database, () => {
      const drop = this.#database.prepare('delete from lease where process = ? and started = ?');
      for (const { process: pid, started } of dead) drop.run(pid, started);
    });
  }

  close(): void {
    this.#database.close();
  }
}
