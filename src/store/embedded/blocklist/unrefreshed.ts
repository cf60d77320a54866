/** Accounts with selections that are not up to date. */
import { blockedSelection } from '../../../model/detect/blocklist/selection.ts';
import type { Database } from '../database.ts';

export class Unrefreshed {
  readonly #list;
  readonly #has;

  constructor(database: Database) {
    this.#list = database
      .prepare(
        `select account from blocklist_selection indexed by blocklist_selection_unfinished
         where filled is not null or draft is not null
         union select distinct account from blocklist_pending`,
      )
      .pluck();
    this.#has = database
      .prepare(
        `select exists (select 1 from blocklist_pending where account = :account)
           or exists (select 1 from blocklist_selection
                where account = :account and (filled is not null or draft is not null))
           or not exists (select 1 from blocklist_selection where account = :account and name = '${blockedSelection}')`,
      )
      .pluck();
  }

  list(): readonly string[] {
    return this.#list.all() as string[];
  }

  /** Also where an account has no selection yet. */
  has(account: string): boolean {
    return this.#has.get({ account }) === 1;
  }
}
