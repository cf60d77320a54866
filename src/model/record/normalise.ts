/**
 * Validates and normalises input into a `DomainRecord`: members in schema order, texts in their formats, lists without duplicates,
 * nothing empty. Faults name their members, and input with a fault gives no record. Normalisation is idempotent.
 */
import { withDerivedFields } from './derived-fields.ts';
import { DomainRecord } from './domain-record.ts';
import { createReader } from './schema-reader.ts';

export const recordBytesMax = 262_144;

type Normalised =
  | { readonly record: DomainRecord }
  /** Each begins with the path of its member. */
  | { readonly faults: readonly string[] };

const read = createReader(DomainRecord);

export function normaliseRecord(value: unknown): Normalised {
  const faults: string[] = [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { faults: ['is not a JSON object'] };
  }
  const members = read(value, '', faults);
  if (faults.length > 0) return { faults };
  const record = withDerivedFields(members as DomainRecord);
  if (Buffer.byteLength(JSON.stringify(record)) > recordBytesMax) {
    return { faults: [`the record is larger than ${recordBytesMax} bytes`] };
  }
  return { record };
}
