/** Results of searches, kept for whoever walks through them. In a database of their own, which may lose the last moments. */
import { join } from 'node:path';
import type { DomainId } from '../../domain-store.ts';
import { type Database, openDatabase, write } from '../database.ts';

/** The soonest to end give way to others: at most some hundred megabytes are kept. */
const walksMax = 10_000;

export class Walks {
  readonly #database: Database;
  readonly #put;
  readonly #removeOver;
  readonly #removeMost;
  readonly #find;

  constructor(directory: string) {
    this.#database = openDatabase(join(directory, 'walks.db'), 'walks', 'normal');
    this.#put = this.#database.prepare('insert or replace into walk (name, until_ms, ids) values (?, ?, ?)');
    this.#removeOver = this.#database.prepare('delete from walk where until_ms <= ?');
    this.#removeMost = this.#database.prepare(
      'delete from walk where name in (select name from walk order by until_ms limit max(0, (select count(*) from walk) - ?))',
    );
    this.#find = this.#database.prepare('select ids from walk where name = ? and until_ms > ?').pluck();
  }

  keep(name: string, ids: readonly DomainId[], untilMs: number, nowMs: number): Promise<void> {
    const bytes = Buffer.from(Int32Array.from(ids).buffer);
    return write(this.#database, () => {
      this.#removeOver.run(nowMs);
      this.#put.run(name, untilMs, bytes);
      this.#removeMost.run(walksMax);
    });
  }

  find(name: string, nowMs: number): readonly DomainId[] | undefined {
    const bytes = this.#find.get(name, nowMs) as Buffer | undefined;
    if (!bytes) return undefined;
    return Array.from(new Int32Array(Uint8Array.from(bytes).buffer));
  }

  close(): void {
    this.#database.close();
  }
}
