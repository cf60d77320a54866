/** Rows of the table `person` of accounts.db, and their conversion to the model. */
import type { Person } from '../../../model/person/person.ts';
import { defaultPreferences } from '../../../model/person/preferences.ts';
import { Problem } from '../../../model/problem.ts';
import type { FoundPerson } from '../../person/person-store.ts';
import type { AccountRecords } from '../account-records.ts';
import type { Database } from '../database.ts';

export interface PersonRow {
  id: string;
  account_id: string;
  name: string;
  email: string | null;
  permissions: string;
  created_ms: number;
  preferences: string;
  password: string | null;
  totp_sealed: Buffer | null;
  totp_confirmed: number;
  operator: number;
  disabled_ms: number | null;
  /** Of other tables. */
  passkeys: number;
  identities: number;
  must_sign_on: number;
  api_owner: number;
  user_id: string | null;
}

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
    if (!found) throw new Problem('not-found', 'there is no such person');
    return found;
  }

  #found(row: unknown): FoundPerson | undefined {
    if (!row) return undefined;
    const { account_id: accountId, api_owner: apiOwner, user_id: userId } = row as PersonRow;
    const account = this.#accounts.get(accountId);
    const sameUser = userId === null ? {} : { userId };
    return { person: personOf(row as PersonRow), account, apiOwner: apiOwner === 1, ...sameUser };
  }
}

function personOf(row: PersonRow): Person {
  return {
    id: row.id,
    name: row.name,
    ...(row.email === null ? {} : { email: row.email }),
    permissions: JSON.parse(row.permissions),
    createdMs: row.created_ms,
    operator: row.operator === 1,
    ...(row.disabled_ms === null ? {} : { disabledMs: row.disabled_ms }),
    preferences: { ...defaultPreferences, ...JSON.parse(row.preferences) },
    credentials: {
      hasPassword: row.password !== null,
      hasTotp: row.totp_confirmed === 1,
      passkeys: row.passkeys,
      identities: row.identities,
      mustSignOn: row.must_sign_on === 1,
    },
  };
}
