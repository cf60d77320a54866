/** Rows of the table `person` of accounts.db, and their conversion to the model. */
import { foundOf, type PersonRow } from '../../person/person-rows.ts';
import { noPerson } from '../../person/person-rules.ts';
import type { FoundPerson } from '../../person/person-store.ts';
import type { AccountRecords } from '../account-records.ts';
import type { Database } from '../database.ts';

/** With how many passkeys and identities the person has, and whether the API user of the same name is the API owner. */
const columns = `person.*, (select count(*) from passkey where person_id = person.id) as passkeys,
  (select count(*) from identity where person_id = person.id) as identities,
  coalesce((select required from sign_on_policy where sign_on_policy.account_id = person.account_id), 0) as must_sign_on,
  coalesce((select api_owner from user where username = person.name and user.account_id = person.account_id), 0) as api_owner,
  (select id from user where username = person.name and user.account_id = person.account_id) as user_id`;

export class PersonRows {
  readonly #statements;
  readonly #accounts: AccountRecords;

  constructor(database: Database, accounts: AccountRecords) {
    this.#accounts = accounts;
    this.#statements = {
      byId: database.prepare(`select ${columns} from person where id = ?`),
      byName: database.prepare(`select ${columns} from person where folded = lower(?)`),
      list: database.prepare(
        `select ${columns} from person where :account_id is null or account_id = :account_id order by name limit :limit`,
      ),
    };
  }

  findById(id: string): FoundPerson | undefined {
    return this.#found(this.#statements.byId.get(id));
  }

  findByName(name: string): FoundPerson | undefined {
    return this.#found(this.#statements.byName.get(name));
  }

  list({ accountId = null, limit }: { accountId?: string | null; limit: number }): FoundPerson[] {
    const rows = this.#statements.list.all({ account_id: accountId, limit });
    return rows.map((row) => this.#found(row) as FoundPerson);
  }

  get(id: string): FoundPerson {
    const found = this.findById(id);
    if (!found) throw noPerson();
    return found;
  }

  #found(row: unknown): FoundPerson | undefined {
    const person = row as PersonRow | undefined;
    return person && foundOf(person, this.#accounts.get(person.account_id));
  }
}
