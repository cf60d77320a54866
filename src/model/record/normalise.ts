/**
 * Validates and normalises input into a `DomainRecord`: members in schema order, texts in their formats, lists without duplicates,
 * nothing empty. Faults name their members, and input with a fault gives no record. Normalisation is idempotent.
 */
import { inSchemaOrder, withDerivedFields } from './derived-fields.ts';
import { DomainRecord } from './domain-record.ts';
import { createReader } from './schema-reader.ts';

export const recordBytesMax = 262_144;

type Normalised =
  | { readonly record: DomainRecord }
  /** Each begins with the path of its member. */
  | { readonly faults: readonly string[] };

type Sources = NonNullable<DomainRecord['sources']>;

const read = createReader(DomainRecord);

export function normaliseRecord(value: unknown): Normalised {
  const faults: string[] = [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { faults: ['is not a JSON object'] };
  }
  const members = read(value, '', faults);
  if (faults.length > 0) return { faults };
  const record = withDerivedFields(members as DomainRecord);
  return withinBounds(record);
}

/** The same as normalising all members together, of records whose members are normalised and, apart from `active` and `sources`, different. */
export function joinNormalised(records: readonly DomainRecord[]): Normalised {
  const { active: _derived, sources: _last, ...all }: DomainRecord = Object.assign({}, ...records);
  const sources = inSchemaOrder(Object.assign({}, ...records.map((record) => record.sources)) as Sources);
  const hasSources = Object.keys(sources).length > 0;
  return withinBounds(withDerivedFields({ ...all, ...(hasSources && { sources }) }));
}

function withinBounds(record: DomainRecord): Normalised {
  const text = JSON.stringify(record);
  // No character takes more than three bytes.
  const isSmall = 3 * text.length <= recordBytesMax;
  if (isSmall || Buffer.byteLength(text) <= recordBytesMax) return { record };
  return { faults: [`the record is larger than ${recordBytesMax} bytes`] };
}
