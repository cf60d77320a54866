/** The index keys of a record's values, part by part, in the order in which the values are shown. */
import type { RecordPart } from '../../../model/record/attributes.ts';
import type { Attribute } from '../../../model/record/condition.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { bytesOfKeys, type KeysByPart, keysIn, keysOfRecord } from '../../domain/record-keys.ts';
import type { ValueKey, ValueKeys } from '../../domain/value-keys.ts';
import type { DomainId } from '../../domain-store.ts';
import type { Database } from '../database.ts';

export class RecordKeys {
  readonly #keys: ValueKeys;
  readonly #find;
  readonly #findPart: Readonly<Record<RecordPart, ReturnType<typeof statementOf>>>;
  readonly #put;

  constructor(database: Database, keys: ValueKeys) {
    this.#keys = keys;
    this.#find = database
      .prepare('select root, parsed_whois, parsed_domain_rdap from record_keys where id = ?')
      .raw();
    this.#findPart = {
      root: statementOf(database, 'root'),
      parsed_whois: statementOf(database, 'parsed_whois'),
      parsed_domain_rdap: statementOf(database, 'parsed_domain_rdap'),
    };
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

  /** The same for one part. */
  ofPart(id: DomainId, part: RecordPart, record: () => DomainRecord): BigInt64Array {
    const bytes = this.#findPart[part].get(id) as Buffer | undefined;
    return bytes ? keysIn(bytes) : this.compute(record())[part];
  }
}

function statementOf(database: Database, part: RecordPart) {
  return database.prepare(`select ${part} from record_keys where id = ?`).pluck();
}
