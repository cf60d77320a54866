/**
 * Result snapshots of lists: the row numbers of a list in the order of its first page. Each account keeps few of them, and each for a
 * day at most.
 */
import {
  type ListSnapshot,
  type SnapshotList,
  snapshotLifetimeMs,
  snapshotsPerListMax,
} from '../../detect/rows/list-snapshot.ts';
import type { ListPaging } from '../../paging/list-paging.ts';
import { type Database, write } from '../database.ts';

interface Page {
  readonly offset: number;
  readonly limit: number;
}

const bytesPerRow = 4;

export class ListSnapshots {
  readonly #database: Database;
  readonly #find;
  readonly #isStored;
  readonly #insert;
  readonly #remove;
  readonly #removeExpired;
  readonly #removeExcess;

  constructor(database: Database) {
    this.#database = database;
    const ofQuery = 'account = :account and list = :list and query = :query';
    // A colleague may read on what another user began.
    this.#find = database.prepare(
      `select total, substr(rows, :from, :bytes) as rows from list_snapshot where ${ofQuery} and until_ms > :nowMs
       order by username = :username desc, number desc limit 1`,
    );
    this.#isStored = database
      .prepare(`select 1 from list_snapshot where ${ofQuery} and username = :username`)
      .pluck();
    this.#insert = database.prepare(
      `insert into list_snapshot (account, list, username, query, begun_ms, until_ms, total, rows)
       values (:account, :list, :username, :query, :nowMs, :untilMs, :total, :rows)`,
    );
    this.#remove = database.prepare(`delete from list_snapshot where ${ofQuery} and username = :username`);
    this.#removeExpired = database.prepare('delete from list_snapshot where account = ? and until_ms <= ?');
    this.#removeExcess = database.prepare(
      `delete from list_snapshot where number in (
         select number from list_snapshot where account = ? and list = ? order by number desc limit -1 offset ?)`,
    );
  }

  /** The rows of a page. */
  find(
    account: string,
    list: SnapshotList,
    paging: ListPaging,
    { offset, limit }: Page,
  ): ListSnapshot | undefined {
    const window = { from: offset * bytesPerRow + 1, bytes: limit * bytesPerRow };
    const found = this.#find.get({ ...keyOf(account, list, paging), ...window }) as
      | { total: number; rows: Buffer }
      | undefined;
    if (!found) return undefined;
    return { total: found.total, rows: Array.from(new Uint32Array(Uint8Array.from(found.rows).buffer)) };
  }

  /** Replaces the snapshot of the same user and query. A list of one page needs none. */
  async save(
    account: string,
    list: SnapshotList,
    paging: ListPaging,
    { total, rows, limit }: ListSnapshot & { readonly limit: number },
  ): Promise<void> {
    const key = keyOf(account, list, paging);
    if (total <= limit && this.#isStored.get(key) === undefined) return;
    const bytes = Buffer.from(Uint32Array.from(rows).buffer);
    await write(this.#database, () => {
      this.#removeExpired.run(account, paging.nowMs);
      this.#remove.run(key);
      if (total <= limit) return;
      this.#insert.run({ ...key, untilMs: paging.nowMs + snapshotLifetimeMs, total, rows: bytes });
      this.#removeExcess.run(account, list, snapshotsPerListMax);
    });
  }
}

function keyOf(account: string, list: SnapshotList, { username, query, nowMs }: ListPaging) {
  return { account, list, username, query, nowMs };
}
