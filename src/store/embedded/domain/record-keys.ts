/** The index keys of a record's values, part by part, in the order in which the values are shown. */
import type { RecordPart } from '../../../model/record/attributes.ts';
import type { Attribute } from '../../../model/record/condition.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { bytesOfKeys, type KeysByPart, keysIn, keysOfRecord } from '../../domain/record-keys.ts';
import type { ValueKey, ValueKeys } from '../../domain/value-keys.ts';
import type { DomainId } from '../../domain-store.ts';
import type { Database, Statement } from '../database.ts';

export class RecordKeys {
  readonly #keys: ValueKeys;
  readonly #find;
  readonly #database: Database;
  /** By the parts that they list. */
  readonly #lists = new Map<string, Statement>();
  readonly #put;

  constructor(database: Database, keys: ValueKeys) {
    this.#database = database;
    this.#keys = keys;
    this.#find = database
      .prepare('select root, parsed_whois, parsed_domain_rdap from record_keys where id = ?')
      .raw();
    this.#put = database.prepare(
      'insert or replace into record_keys (id, root, parsed_whois, parsed_domain_rdap) values (?, ?, ?, ?)',
    );
  }

  /** `visit` is called with every value and its key. */
  compute(
    record: DomainRecord,
    visit?: (key: ValueKey, attribute: Attribute, value: string) => void,
  ): KeysByPart {
    return keysOfRecord(this.#keys, record, visit);
  }

  put(id: DomainId, { root, parsed_whois, parsed_domain_rdap }: KeysByPart): void {
    this.#put.run(id, bytesOfKeys(root), bytesOfKeys(parsed_whois), bytesOfKeys(parsed_domain_rdap));
  }

  /** As stored with the record, in the order of the version that wrote them. */
  find(id: DomainId): KeysByPart | undefined {
    const row = this.#find.get(id) as [Buffer, Buffer, Buffer] | undefined;
    return (
      row && {
        root: keysIn(row[0]),
        parsed_whois: keysIn(row[1]),
        parsed_domain_rdap: keysIn(row[2]),
      }
    );
  }

  /** As stored with the record; computed for records of before the keys were stored. */
  of(id: DomainId, record: () => DomainRecord): KeysByPart {
    return this.find(id) ?? this.compute(record());
  }

  /** The same of some parts, for existing records in the order of `ids`; fastest for ascending ids. */
  listParts(
    ids: readonly DomainId[],
    parts: readonly RecordPart[],
    recordAt: (index: number) => DomainRecord,
  ): readonly (readonly BigInt64Array[])[] {
    const rows = this.#listOf(parts).all(JSON.stringify(ids)) as (Buffer | null)[][];
    return rows.map((row, index) => {
      if (row.every((bytes) => bytes !== null)) return row.map(keysIn);
      const computed = this.compute(recordAt(index));
      return parts.map((part) => computed[part]);
    });
  }

  #listOf(parts: readonly RecordPart[]): Statement {
    const columns = parts.map((part) => `record_keys.${part}`).join();
    let statement = this.#lists.get(columns);
    if (!statement) {
      statement = this.#database
        .prepare(
          `select ${columns} from json_each(?) wanted left join record_keys on record_keys.id = wanted.value`,
        )
        .raw();
      this.#lists.set(columns, statement);
    }
    return statement;
  }
}
