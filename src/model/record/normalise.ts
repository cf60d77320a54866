/**
 * From anything that claims to be a record to a `DomainRecord`: members in the order of the schema, texts in their forms, lists
 * without repetition, nothing that is empty. What is wrong is said member by member, and a record with a fault is none. A
 * record that has been through here comes out the same again.
 */
import { completed } from './completed.ts';
import { DomainRecord } from './domain-record.ts';
import { readerOf } from './schema-reader.ts';

export const recordBytesMax = 262_144;

type Normalised =
  | { readonly record: DomainRecord }
  /** Each names the member it is about. */
  | { readonly faults: readonly string[] };

const read = readerOf(DomainRecord);

export function normalise(value: unknown): Normalised {
  const faults: string[] = [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { faults: ['is not a JSON object'] };
  }
  const members = read(value, '', faults);
  if (faults.length > 0) return { faults };
  const record = completed(members as DomainRecord);
  if (Buffer.byteLength(JSON.stringify(record)) > recordBytesMax) {
    return { faults: [`the record is larger than ${recordBytesMax} bytes`] };
  }
  return { record };
}
