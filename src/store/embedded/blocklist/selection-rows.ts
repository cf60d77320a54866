/** Rows of `blocklist_selection`. Functions that write must be called within a write transaction. */
import {
  blockedRules,
  blockedSelection,
  type SelectionRules,
} from '../../../model/detect/blocklist/selection.ts';
import type { BlocklistActor, BlocklistSelection, SelectionKey } from '../../detect/blocklist-store.ts';
import type { Database } from '../database.ts';

export interface SelectionRow {
  readonly number: number;
  readonly account: string;
  readonly name: string;
  readonly rules: SelectionRules;
  readonly deleted: number;
  readonly created_by: string;
  readonly created_ms: number;
  readonly serial: number;
  readonly draft: number | null;
  readonly filled: string | null;
  readonly blocked: number;
  readonly left_out: number;
}

/** Selects nothing. */
const noRules: SelectionRules = { blocked: false, tags: [], monitorIds: [] };

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
    const wide = rules.newScoreMin !== undefined || rules.tags.length + rules.monitorIds.length > 0 ? 1 : 0;
    this.#put.run({ account: accountId, name: selection, rules: JSON.stringify(rules), wide, ...by });
  }

  delete({ accountId, selection }: SelectionKey): boolean {
    return this.#delete.run(JSON.stringify(noRules), accountId, selection).changes === 1;
  }

  beginDraft({ number, serial, draft }: SelectionRow, nowMs: number): number {
    const begun = draft ?? Math.max(serial + 1, Math.floor(nowMs / 1000));
    if (draft === null) this.#putDraft.run(begun, number);
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

export function selectionOf(row: SelectionRow): BlocklistSelection {
  return {
    name: row.name,
    rules: row.rules,
    createdBy: row.created_by,
    createdMs: row.created_ms,
    serial: row.serial,
    blocked: row.blocked,
    leftOut: row.left_out,
  };
}
