/** Rows of the table `identity` of accounts.db. Changes must be called within a write transaction. */
import { type IdentityRow, identityOf, identityTaken, type NewIdentity } from '../../person/provider-rows.ts';
import type { Identity } from '../../person/sign-on-store.ts';
import type { Database } from '../database.ts';

export class IdentityRows {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = {
      insert: database.prepare('insert into identity values (?, ?, ?, ?) on conflict do nothing'),
      personOf: database
        .prepare('select person_id from identity where provider_id = ? and subject = ?')
        .pluck(),
      list: database.prepare(
        `select provider_id, name, subject, identity.created_ms from identity
         join identity_provider on identity_provider.id = provider_id where person_id = ? order by name`,
      ),
      remove: database.prepare('delete from identity where person_id = ? and provider_id = ?'),
    };
  }

  insert({ providerId, subject, personId }: NewIdentity, atMs: number): void {
    if (this.#statements.insert.run(providerId, subject, personId, atMs).changes === 0) throw identityTaken();
  }

  findPersonId(providerId: string, subject: string): string | undefined {
    return this.#statements.personOf.get(providerId, subject) as string | undefined;
  }

  list(personId: string): Identity[] {
    return (this.#statements.list.all(personId) as IdentityRow[]).map(identityOf);
  }

  remove(personId: string, providerId: string): boolean {
    return this.#statements.remove.run(personId, providerId).changes === 1;
  }
}
