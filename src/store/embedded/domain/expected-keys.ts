/** The keys of all posting lists that must contain a domain: those of its record, and of the WHOIS records in its history. */
import type { Attribute } from '../../../model/record/condition.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { expectedKeysOf } from '../../domain/expected-keys.ts';
import type { ValueKey, ValueKeys } from '../../domain/value-keys.ts';
import type { DomainId } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import { PastWhois } from './change-history.ts';
import { valueKeysOf } from './stored-salt.ts';

export class ExpectedKeys {
  readonly #keys: ValueKeys;
  readonly #past: PastWhois;

  constructor(database: Database) {
    this.#keys = valueKeysOf(database);
    this.#past = new PastWhois(database);
  }

  /** Each with its attribute. */
  of(id: DomainId, record: DomainRecord, past = this.#past.of(id)): ReadonlyMap<ValueKey, Attribute> {
    return expectedKeysOf(this.#keys, record, past);
  }
}
