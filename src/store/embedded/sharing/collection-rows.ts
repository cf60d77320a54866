/** Rows of `sharing_collection`. Functions that write must be called within a write transaction. */
import type { CollectionRow } from '../../detect/sharing/collection-writer.ts';
import type { CollectionKey } from '../../detect/sharing-store.ts';
import type { Database } from '../database.ts';

const columns = 'number, account as accountId, name, title, created_ms, filled, added, feed_offset';

export class CollectionRows {
  readonly #find;
  readonly #ofAccount;
  readonly #begin;
  readonly #putTitle;
  readonly #putFilled;
  readonly #putAdded;
  readonly #putOffset;
  readonly #hasPending;

  constructor(database: Database) {
    this.#find = database.prepare(`select ${columns} from sharing_collection where account = ? and name = ?`);
    this.#ofAccount = database.prepare(
      `select ${columns} from sharing_collection where account = ? order by number`,
    );
    this.#begin = database.prepare(
      `insert into sharing_collection (account, name, title, created_ms, filled)
       values (:accountId, :list, :title, :nowMs, '{}') on conflict do nothing`,
    );
    this.#putTitle = database.prepare('update sharing_collection set title = ? where number = ?');
    this.#putFilled = database.prepare('update sharing_collection set filled = ? where number = ?');
    this.#putAdded = database.prepare('update sharing_collection set added = ? where number = ?');
    this.#putOffset = database.prepare(
      'update sharing_collection set feed_offset = ?, filled = null where number = ?',
    );
    this.#hasPending = database.prepare('select 1 from sharing_pending where account = ? limit 1').pluck();
  }

  find({ accountId, list }: CollectionKey): CollectionRow | undefined {
    return this.#find.get(accountId, list) as CollectionRow | undefined;
  }

  ofAccount(accountId: string): readonly CollectionRow[] {
    return this.#ofAccount.all(accountId) as CollectionRow[];
  }

  begin(key: CollectionKey, title: string, nowMs: number): CollectionRow {
    this.#begin.run({ ...key, title, nowMs });
    const row = this.find(key) as CollectionRow;
    if (row.title !== title) this.#putTitle.run(title, row.number);
    return row;
  }

  hasPending(accountId: string): boolean {
    return this.#hasPending.get(accountId) !== undefined;
  }

  putFilled(number: number, filled: string | null): void {
    this.#putFilled.run(filled, number);
  }

  putAdded(number: number, added: number): void {
    this.#putAdded.run(added, number);
  }

  putOffset(number: number, offset: number): void {
    this.#putOffset.run(offset, number);
  }
}
