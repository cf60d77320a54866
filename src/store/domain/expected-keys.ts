/** The keys of all posting lists that must contain a domain: those of its record, and of the WHOIS records in its history. */
import type { Attribute } from '../../model/record/condition.ts';
import type { DomainRecord, ParsedWhois } from '../../model/record/domain-record.ts';
import { historicalValuesOf, indexedValuesOf } from './indexed-values.ts';
import type { ValueKey, ValueKeys } from './value-keys.ts';

/** Each with its attribute. */
export function expectedKeysOf(
  keys: ValueKeys,
  record: DomainRecord,
  past: readonly ParsedWhois[],
): ReadonlyMap<ValueKey, Attribute> {
  const historical = [record.parsed_whois, ...past].flatMap(historicalValuesOf);
  return new Map(
    [...indexedValuesOf(record), ...historical].map(({ attribute, value }) => [
      keys.keyOf(attribute, value),
      attribute,
    ]),
  );
}
