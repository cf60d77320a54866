/** The keys of all posting lists that must contain a domain: those of its record, and of the WHOIS records in its history. */
import type { Attribute } from '../../../model/record/condition.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import type { DomainId } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import { PastWhois } from './change-history.ts';
import { historicalValuesOf, indexedValuesOf } from './indexed-values.ts';
import { type ValueKey, ValueKeys } from './value-keys.ts';

export class ExpectedKeys {
  readonly #keys: ValueKeys;
  readonly #past: PastWhois;

  constructor(database: Database) {
    this.#keys = new ValueKeys(database);
    this.#past = new PastWhois(database);
  }

  /** Each with its attribute. */
  of(id: DomainId, record: DomainRecord, past = this.#past.of(id)): ReadonlyMap<ValueKey, Attribute> {
    const historical = [record.parsed_whois, ...past].flatMap(historicalValuesOf);
    return new Map(
      [...indexedValuesOf(record), ...historical].map(({ attribute, value }) => [
        this.#keys.keyOf(attribute, value),
        attribute,
      ]),
    );
  }
}
