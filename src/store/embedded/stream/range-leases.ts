/**
 * Leases on ranges of streams that readers have open; retention leaves leased segments alone. They have a database of their own,
 * because a lease need not survive a power cut and acquiring one should not wait for a sync. A lease ends with its process.
 */
import { join } from 'node:path';
import type { StreamName } from '../../stream-store.ts';
import { type Database, openDatabase, write } from '../database.ts';
import { currentProcess, isAlive, type ProcessIdentity } from '../process-identity.ts';

/** A backup is copying the files of images; no stream has such a name. */
export const imageFiles = 'images/';

export class RangeLeases {
  readonly #database: Database;
  readonly #held = new Set<number>();

  constructor(root: string) {
    this.#database = openDatabase(join(root, 'leases.db'), 'leases', 'normal');
  }

  async acquire(stream: StreamName, fromMinute: number): Promise<number> {
    const own = currentProcess();
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

  async release(id: number): Promise<void> {
    if (!this.#held.delete(id)) return;
    await write(this.#database, () => this.#database.prepare('delete from lease where id = ?').run(id));
  }

  /** The earliest minute that a live process has open. */
  async findEarliest(stream: StreamName): Promise<number | undefined> {
    await this.#removeOfDeadProcesses();
    const earliest = this.#database
      .prepare('select min(from_minute) from lease where stream = ?')
      .pluck()
      .get(stream) as number | null;
    return earliest ?? undefined;
  }

  /** Synchronous, for callers that hold a write transaction of another database. */
  isHeld(stream: StreamName): boolean {
    const holders = this.#database
      .prepare('select distinct process, started from lease where stream = ?')
      .all(stream) as ProcessIdentity[];
    return holders.some(isAlive);
  }

  async #removeOfDeadProcesses(): Promise<void> {
    const holders = this.#database
      .prepare('select distinct process, started from lease')
      .all() as ProcessIdentity[];
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
