/** Domains by name and by id, and their records. */
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import type { DomainId } from '../../domain-store.ts';
import type { Database } from '../database.ts';

export class RecordRows {
  readonly #id;
  readonly #name;
  readonly #record;
  readonly #lastId;

  constructor(database: Database) {
    this.#id = database.prepare('select id from domain where name = ?').pluck();
    this.#name = database.prepare('select name from domain where id = ?').pluck();
    this.#record = database.prepare('select record from record where id = ?').pluck();
    this.#lastId = database.prepare('select max(id) from domain').pluck();
  }

  findId(name: string): DomainId | undefined {
    return this.#id.get(name) as DomainId | undefined;
  }

  nameOf(id: DomainId): string {
    return this.#name.get(id) as string;
  }

  findRecord(id: DomainId): DomainRecord | undefined {
    const text = this.#record.get(id) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as DomainRecord);
  }

  /** Ids begin with 1; 0 where there is none yet. */
  lastId(): DomainId {
    return (this.#lastId.get() as DomainId | null) ?? 0;
  }
}
