/** Rows of the table `passkey` of accounts.db. Changes must be called within a write transaction. */
import type { Passkey } from '../../person/person-store.ts';
import type { Database } from '../database.ts';

interface PasskeyRow {
  id: string;
  person_id: string;
  name: string;
  public_key: Buffer;
  counter: number;
  transports: string;
  created_ms: number;
  used_ms: number | null;
}

export class PasskeyRows {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = {
      byId: database.prepare('select * from passkey where id = ?'),
      list: database.prepare('select * from passkey where person_id = ? order by created_ms, id'),
      insert: database.prepare('insert into passkey values (?, ?, ?, ?, ?, ?, ?, null)'),
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
    const { id, personId, name, publicKey, counter, transports } = passkey;
    this.#statements.insert.run(id, personId, name, publicKey, counter, JSON.stringify(transports), atMs);
  }

  use(id: string, counter: number, atMs: number): void {
    this.#statements.use.run(counter, atMs, id);
  }

  remove(personId: string, id: string): boolean {
    return this.#statements.remove.run(personId, id).changes === 1;
  }
}

function passkeyOf(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    personId: row.person_id,
    name: row.name,
    publicKey: row.public_key,
    counter: row.counter,
    transports: JSON.parse(row.transports),
    createdMs: row.created_ms,
    ...(row.used_ms === null ? {} : { usedMs: row.used_ms }),
  };
}
