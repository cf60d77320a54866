/**
 * Result snapshots: the ids that a search found, kept for the pages that a cursor reads later. On disk they are the table `walk` of
 * `walks.db`, a database of its own without sync on commit: a power cut may lose the latest snapshots.
 */
import { join } from 'node:path';
import type { DomainId } from '../../domain-store.ts';
import { type Database, openDatabase, write } from '../database.ts';
import { assertRowChecksum, rowChecksum } from './row-checksum.ts';

/** Beyond this the first to expire are removed: a few hundred megabytes at most. */
const snapshotsMax = 10_000;

export class ResultSnapshots {
  readonly #database: Database;
  readonly #put;
  readonly #removeExpired;
  readonly #removeExcess;
  readonly #find;

  constructor(directory: string) {
    this.#database = openDatabase(join(directory, 'walks.db'), 'walks', 'normal');
    this.#put = this.#database.prepare(
      'insert or replace into walk (name, until_ms, ids, checksum) values (?, ?, ?, ?)',
    );
    this.#removeExpired = this.#database.prepare('delete from walk where until_ms <= ?');
    this.#removeExcess = this.#database.prepare(
      'delete from walk where name in (select name from walk order by until_ms limit max(0, (select count(*) from walk) - ?))',
    );
    this.#find = this.#database.prepare(
      'select ids as value, checksum from walk where name = ? and until_ms > ?',
    );
  }

  save(name: string, ids: readonly DomainId[], untilMs: number, nowMs: number): Promise<void> {
    const bytes = Buffer.from(Int32Array.from(ids).buffer);
    return write(this.#database, () => {
      this.#removeExpired.run(nowMs);
      this.#put.run(name, untilMs, bytes, rowChecksum(0, bytes));
      this.#removeExcess.run(snapshotsMax);
    });
  }

  find(name: string, nowMs: number): readonly DomainId[] | undefined {
    const row = this.#find.get(name, nowMs) as { value: Buffer; checksum: number | null } | undefined;
    if (!row) return undefined;
    assertRowChecksum(this.#database.name, { id: 0, ...row }, 'a result snapshot');
    return Array.from(new Int32Array(Uint8Array.from(row.value).buffer));
  }

  close(): void {
    this.#database.close();
  }
}
