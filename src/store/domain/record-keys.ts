/** The index keys of a record's values, part by part, in the order in which the values are shown. */
import { partLayouts, type RecordPart, visitValues } from '../../model/record/attributes.ts';
import type { Attribute } from '../../model/record/condition.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import { shownRecord } from '../../model/record/shown-record.ts';
import type { ValueKey, ValueKeys } from './value-keys.ts';

export type KeysByPart = Readonly<Record<RecordPart, BigInt64Array>>;

/** Those of one part while they are computed, so that no array of BigInts has to be turned into a typed one. */
let computed = new BigInt64Array(256);

function doubled(keys: BigInt64Array<ArrayBuffer>): BigInt64Array<ArrayBuffer> {
  const longer = new BigInt64Array(keys.length * 2);
  longer.set(keys);
  return longer;
}

/** `visit` is called with every value and its key. */
export function keysOfRecord(
  valueKeys: ValueKeys,
  record: DomainRecord,
  visit?: (key: ValueKey, attribute: Attribute, value: string) => void,
): KeysByPart {
  const shown = shownRecord(record);
  const of = (part: RecordPart) => {
    let count = 0;
    visitValues(shown, partLayouts[part], (attribute, value) => {
      const key = valueKeys.keyOf(attribute, value);
      if (count === computed.length) computed = doubled(computed);
      computed[count] = key;
      count += 1;
      visit?.(key, attribute, value);
    });
    return computed.slice(0, count);
  };
  return {
    root: of('root'),
    parsed_whois: of('parsed_whois'),
    parsed_domain_rdap: of('parsed_domain_rdap'),
  };
}

export function isSameKeys(left: BigInt64Array, right: BigInt64Array): boolean {
  return left.length === right.length && left.every((key, index) => key === right[index]);
}

export function bytesOfKeys(keys: BigInt64Array): Buffer {
  return Buffer.from(keys.buffer, keys.byteOffset, keys.byteLength);
}

export function keysIn(bytes: Buffer): BigInt64Array {
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
  return new BigInt64Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 8);
}
