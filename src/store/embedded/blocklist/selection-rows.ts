/** Rows of `blocklist_selection`. Functions that write must be called within a write transaction. */
import {
  blockedRules,
  blockedSelection,
  type SelectionRules,
} from '../../../model/detect/blocklist/selection.ts';
import {
  draftSerial,
  isWide,
  noRules,
  type SelectionRow as StoredSelection,
} from '../../detect/blocklist/selection-state.ts';
import type { BlocklistActor, SelectionKey } from '../../detect/blocklist-store.ts';
import type { Database } from '../database.ts';

export type SelectionRow = StoredSelection & { readonly account: string };

export class SelectionRows {
  readonly #find;
  readonly #serials;
  readonly #ofAccount;
  readonly #put;
  readonly #delete;
  readonly #putDraft;
  readonly #putFilled;
  readonly #count;

  constructor(database: Database) {
    this.#find = database.prepare(
      'select * from blocklist_selection where account = ? and name = ? and deleted = 0',
    );
    this.#serials = database.prepare(
      `select account as accountId, name as selection, serial from blocklist_selection
       where deleted = 0 and serial > 0 order by account, name`,
    );
    this.#ofAccount = database.prepare(
      'select * from blocklist_selection where account = ? order by name <> ?, name',
    );
    this.#put = database.prepare(
      `insert into blocklist_selection (account, name, rules, wide, created_by, created_ms, filled)
       values (:account, :name, :rules, :wide, :username, :atMs, '')
       on conflict do update set rules = :rules, wide = :wide, filled = '', deleted = 0,
         created_by = iif(deleted = 1, :username, created_by), created_ms = iif(deleted = 1, :atMs, created_ms)`,
    );
    this.#delete = database.prepare(
      `update blocklist_selection set deleted = 1, rules = ?, filled = '' where account = ? and name = ? and deleted = 0`,
    );
    this.#putDraft = database.prepare('update blocklist_selection set draft = ? where number = ?');
    this.#putFilled = database.prepare('update blocklist_selection set filled = ? where number = ?');
    this.#count = database.prepare(
      'update blocklist_selection set blocked = blocked + ?, left_out = left_out + ? where number = ?',
    );
  }

  find({ accountId, selection }: SelectionKey): SelectionRow | undefined {
    const row = this.#find.get(accountId, selection);
    return row === undefined ? undefined : read(row);
  }

  serials(): readonly (SelectionKey & { readonly serial: number })[] {
    return this.#serials.all() as (SelectionKey & { readonly serial: number })[];
  }

  /** Deleted ones too: their names are removed step by step. */
  ofAccount(accountId: string): readonly SelectionRow[] {
    return this.#ofAccount.all(accountId, blockedSelection).map(read);
  }

  ensureBlocked(accountId: string, atMs: number): void {
    const key = { accountId, selection: blockedSelection };
    if (!this.find(key)) this.put(key, blockedRules, { username: '', atMs });
  }

  put({ accountId, selection }: SelectionKey, rules: SelectionRules, by: BlocklistActor): void {
    const wide = isWide(rules) ? 1 : 0;
    this.#put.run({ account: accountId, name: selection, rules: JSON.stringify(rules), wide, ...by });
  }

  delete({ accountId, selection }: SelectionKey): boolean {
    return this.#delete.run(JSON.stringify(noRules), accountId, selection).changes === 1;
  }

  beginDraft(row: SelectionRow, nowMs: number): number {
    const begun = draftSerial(row, nowMs);
    if (row.draft === null) this.#putDraft.run(begun, row.number);
    return begun;
  }

  putFilled(number: number, name: string | null): void {
    this.#putFilled.run(name, number);
  }

  count(number: number, { blocked, leftOut }: { readonly blocked: number; readonly leftOut: number }): void {
    this.#count.run(blocked, leftOut, number);
  }
}

function read(row: unknown): SelectionRow {
  const { rules, ...rest } = row as Omit<SelectionRow, 'rules'> & { readonly rules: string };
  return { ...rest, rules: JSON.parse(rules) as SelectionRules };
}
