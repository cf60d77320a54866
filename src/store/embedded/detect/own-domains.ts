/** The domains that accounts own. Subdomains of an own domain are own domains too. */
import { withParents } from '../../detect/rows/own-names.ts';
import type { Database } from '../database.ts';
import { Counters } from './counters.ts';

interface OwnDomainRow {
  readonly account: string;
  readonly name: string;
}

export class OwnDomains {
  readonly #counters: Counters;
  readonly #list;
  readonly #all;
  readonly #find;
  readonly #add;
  readonly #remove;

  constructor(database: Database) {
    this.#counters = new Counters(database);
    this.#list = database.prepare('select name from own_domain where account = ? order by name').pluck();
    this.#all = database.prepare('select account, name from own_domain order by account, name');
    this.#find = database.prepare('select 1 from own_domain where account = ? and name = ?').pluck();
    this.#add = database.prepare(
      'insert into own_domain (account, name, swept) values (?, ?, 0) on conflict do nothing',
    );
    this.#remove = database.prepare('delete from own_domain where account = ? and name = ?');
  }

  list(accountId: string): readonly string[] {
    return this.#list.all(accountId) as string[];
  }

  listAll(): ReadonlyMap<string, readonly string[]> {
    const all = new Map<string, string[]>();
    for (const { account, name } of this.#all.all() as OwnDomainRow[]) {
      const names = all.get(account);
      if (names) names.push(name);
      else all.set(account, [name]);
    }
    return all;
  }

  covers(accountId: string, domain: string): boolean {
    return withParents(domain).some((name) => this.#find.get(accountId, name) !== undefined);
  }

  /** A sweep must take added domains off the lists afterwards. */
  change(accountId: string, change: { readonly add: readonly string[]; readonly remove: readonly string[] }) {
    let changes = 0;
    for (const name of change.remove) changes += this.#remove.run(accountId, name).changes;
    for (const name of change.add) changes += this.#add.run(accountId, name).changes;
    if (changes > 0) this.#counters.raise('monitors');
  }
}
