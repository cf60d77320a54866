/**
 * Who has which stretch of a stream open. A file of its own, because a lease need not survive a power cut and taking one
 * should not wait for a disk. Leases of processes that are gone are gone.
 */
import { join } from 'node:path';
import type { StreamName } from '../../stream-store.ts';
import { type Database, openDatabase, write } from '../database.ts';

export class Leases {
  readonly #database: Database;
  readonly #held = new Set<number>();

  constructor(root: string) {
    this.#database = openDatabase(join(root, 'leases.db'), 'leases', 'normal');
  }

  async take(stream: StreamName, fromMinute: number): Promise<number> {
    const id = await write(this.#database, () =>
      Number(
        this.#database
          .prepare('insert into lease (process, stream, from_minute) values (?, ?, ?)')
          .run(process.pid, stream, fromMinute).lastInsertRowid,
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
    const processes = this.#database.prepare('select distinct process from lease').pluck().all() as number[];
    const dead = processes.filter((pid) => !isAlive(pid));
    if (dead.length === 0) return;
    await write(this.#database, () => {
      for (const pid of dead) this.#database.prepare('delete from lease where process = ?').run(pid);
    });
  }

  close(): void {
    this.#database.close();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
