/** The allow lists of accounts. Functions that write must be called within a write transaction. */

import { endOfNamesBelow, namesAbove, reversedName } from '../../detect/blocklist/reversed-name.ts';
import type { AllowedName, BlocklistActor } from '../../detect/blocklist-store.ts';
import type { Database } from '../database.ts';

export class AllowedNames {
  readonly #list;
  readonly #any;
  readonly #find;
  readonly #below;
  readonly #add;
  readonly #remove;
  readonly #reconsider;

  constructor(database: Database) {
    this.#list = database.prepare(
      'select name, added_by as "by", added_ms as atMs from blocklist_allowed where account = ? order by name',
    );
    this.#any = database.prepare('select 1 from blocklist_allowed where account = ? limit 1').pluck();
    this.#find = database.prepare('select 1 from blocklist_allowed where account = ? and name = ?').pluck();
    this.#below = database
      .prepare('select name from blocklist_allowed where account = ? and reversed > ? and reversed < ?')
      .pluck();
    this.#add = database.prepare(
      `insert into blocklist_allowed values (:account, :name, :reversed, :username, :atMs) on conflict do nothing`,
    );
    this.#remove = database.prepare('delete from blocklist_allowed where account = ? and name = ?');
    this.#reconsider = database.prepare(
      `insert into blocklist_pending
       select :account, :name union
       select :account, blocklist_member.name from blocklist_member join blocklist_selection on number = selection
       where account = :account and removed is null and reversed >= :from and reversed < :to
       on conflict do nothing`,
    );
  }

  list(accountId: string): readonly AllowedName[] {
    return this.#list.all(accountId) as AllowedName[];
  }

  hasSome(accountId: string): boolean {
    return this.#any.get(accountId) !== undefined;
  }

  has(accountId: string, name: string): boolean {
    return this.#find.get(accountId, name) !== undefined;
  }

  covers(accountId: string, name: string): boolean {
    return [name, ...namesAbove(name)].some((one) => this.has(accountId, one));
  }

  /** Allowed names below the name; not the name itself. */
  below(accountId: string, name: string): readonly string[] {
    return this.#below.all(accountId, reversedName(name), endOfNamesBelow(name)) as string[];
  }

  change(
    account: string,
    { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
    { username, atMs }: BlocklistActor,
  ): void {
    for (const name of remove) this.#remove.run(account, name);
    for (const name of add) this.#add.run({ account, name, reversed: reversedName(name), username, atMs });
    for (const name of [...add, ...remove])
      this.#reconsider.run({ account, name, from: reversedName(name), to: endOfNamesBelow(name) });
  }
}
