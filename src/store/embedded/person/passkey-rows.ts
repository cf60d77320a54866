/** Rows of the table `passkey` of accounts.db. Changes must be called within a write transaction. */
import { type PasskeyRow, passkeyOf, passkeyRowOf } from '../../person/person-rows.ts';
import type { Passkey } from '../../person/person-store.ts';
import type { Database } from '../database.ts';

export class PasskeyRows {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = {
      byId: database.prepare('select * from passkey where id = ?'),
      list: database.prepare('select * from passkey where person_id = ? order by created_ms, id'),
      insert: database.prepare(
        'insert into passkey values (:id, :person_id, :name, :public_key, :counter, :transports, :created_ms, :used_ms)',
      ),
      use: database.prepare('update passkey set counter = ?, used_ms = ? where id = ?'),
      remove: database.prepare('delete from passkey where person_id = ? and id = ?'),
    };
  }

  find(id: string): Passkey | undefined {
    const row = this.#statements.byId.get(id) as PasskeyRow | undefined;
    return row && passkeyOf(row);
  }

  list(personId: string): Passkey[] {
    return (this.#statements.list.all(personId) as PasskeyRow[]).map(passkeyOf);
  }

  insert(passkey: Omit<Passkey, 'createdMs' | 'usedMs'>, atMs: number): void {
    this.#statements.insert.run(passkeyRowOf(passkey, atMs));
  }

  use(id: string, counter: number, atMs: number): void {
    this.#statements.use.run(counter, atMs, id);
  }

  remove(personId: string, id: string): boolean {
    return this.#statements.remove.run(personId, id).changes === 1;
  }
}
