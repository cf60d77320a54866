/** The keys of a record's values, part by part, in the order in which they are shown. */
import { partLayouts, type RecordPart, walkValues } from '../../../model/record/attributes.ts';
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

  /** `meet` is told of every value with its key. */
  make(
    record: DomainRecord,
    meet?: (key: ValueKey, attribute: Attribute, value: string) => void,
  ): KeysByPart {
    const shown = shownRecord(record);
    const of = (part: RecordPart) => {
      const keys: ValueKey[] = [];
      walkValues(shown, partLayouts[part], (attribute, value) => {
        const key = this.#keys.keyOf(attribute, value);
        keys.push(key);
        meet?.(key, attribute, value);
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

  /** As they were stored with the record. */
  of(id: DomainId, record: () => DomainRecord): KeysByPart {
    const row = this.#find.get(id) as [Buffer, Buffer, Buffer] | undefined;
    if (!row) return this.make(record());
    return {
      root: keysIn(row[0]),
      parsed_whois: keysIn(row[1]),
      parsed_domain_rdap: keysIn(row[2]),
    };
  }

  /** The same of one part alone. */
  ofPart(id: DomainId, part: RecordPart, record: () => DomainRecord): BigInt64Array {
    const bytes = this.#findPart[part].get(id) as Buffer | undefined;
    return bytes ? keysIn(bytes) : this.make(record())[part];
  }
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
