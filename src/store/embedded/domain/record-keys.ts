/** The index keys of a record's values, part by part, in the order in which the values are shown. */
import { partLayouts, type RecordPart, visitValues } from '../../../model/record/attributes.ts';
import type { Attribute } from '../../../model/record/condition.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { shownRecord } from '../../../model/record/shown-record.ts';
import type { DomainId } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import type { ValueKey, ValueKeys } from './value-keys.ts';

export type KeysByPart = Readonly<Record<RecordPart, BigInt64Array>>;

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
    const shown = shownRecord(record);
    const of = (part: RecordPart) => {
      const keys: ValueKey[] = [];
      visitValues(shown, partLayouts[part], (attribute, value) => {
        const key = this.#keys.keyOf(attribute, value);
        keys.push(key);
        visit?.(key, attribute, value);
      });
      return BigInt64Array.from(keys);
    };
    return {
      root: of('root'),
      parsed_whois: of('parsed_whois'),
      parsed_domain_rdap: of('parsed_domain_rdap'),
    };
  }

  put(id: DomainId, { root, parsed_whois, parsed_domain_rdap }: KeysByPart): void {
    this.#put.run(id, bytesOf(root), bytesOf(parsed_whois), bytesOf(parsed_domain_rdap));
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

export function isSameKeys(left: BigInt64Array, right: BigInt64Array): boolean {
  return left.length === right.length && left.every((key, index) => key === right[index]);
}

function statementOf(database: Database, part: RecordPart) {
  return database.prepare(`select ${part} from record_keys where id = ?`).pluck();
}

function bytesOf(keys: BigInt64Array): Buffer {
  return Buffer.from(keys.buffer, keys.byteOffset, keys.byteLength);
}

function keysIn(bytes: Buffer): BigInt64Array {
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
  return new BigInt64Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 8);
}
