/** Search results as rows of a table: for each column the values of a domain, with the number of domains that share them. */
import { mapInSlices } from '../../../concurrency/map-in-slices.ts';
import { partLayouts, type RecordPart, recordParts, visitValues } from '../../../model/record/attributes.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { shownRecord } from '../../../model/record/shown-record.ts';
import type { Tag, TagReader } from '../../../store/domain/tag-store.ts';
import type { DomainStore, StoredRecord } from '../../../store/domain-store.ts';
import { plainColumns } from '../catalogue/columns.ts';

export interface ResultRow {
  readonly record: DomainRecord;
  readonly tags: readonly Tag[];
  /** A column without values is absent. */
  readonly cells: Readonly<Record<string, ResultCell>>;
}

export interface ResultCell {
  /** `domains` is undefined where domains do not share values. */
  readonly values: readonly { readonly value: string; readonly domains: number | undefined }[];
  /** How many more there are. */
  readonly more: number;
}

/** A certificate may have thousands of names. */
const valuesMax = 10;

/** The parts of records that these columns are in. */
export function partsOfColumns(columns: readonly string[]): readonly RecordPart[] {
  return recordParts.filter(
    (part) => part === 'root' || columns.some((column) => column.startsWith(`${part}.`)),
  );
}

/** `stored` has the counts of the parts that `partsOfColumns` names. */
export async function resultRows(
  stored: readonly StoredRecord[],
  columns: readonly string[],
  viewer: TagReader,
  domains: Pick<DomainStore, 'tagsOf'>,
): Promise<readonly ResultRow[]> {
  const parts = partsOfColumns(columns);
  const rows = await mapInSlices(stored, ({ json, counts }) => {
    const record = JSON.parse(json) as DomainRecord;
    return { record, cells: cellsOf(record, counts, { columns: new Set(columns), parts }) };
  });
  const tags = await domains.tagsOf(
    rows.map(({ record }) => record.domain),
    viewer,
  );
  return rows.map((row, index) => ({ ...row, tags: tags[index] ?? [] }));
}

type Wanted = { readonly columns: ReadonlySet<string>; readonly parts: readonly RecordPart[] };

function cellsOf(
  record: DomainRecord,
  counts: StoredRecord['counts'],
  { columns, parts }: Wanted,
): Record<string, ResultCell> {
  const shown = shownRecord(record);
  const found = new Map<string, Map<string, number | undefined>>();
  const add = (column: string, value: string, domains: number | undefined) => {
    if (!columns.has(column)) return;
    const values = found.get(column) ?? new Map<string, number | undefined>();
    found.set(column, values.set(value, domains));
  };
  for (const part of parts) {
    let visited = 0;
    visitValues(shown, partLayouts[part], (attribute, value) => {
      // The record was read before its counts, and has each of its values itself.
      add(attribute, value, Math.max(1, counts[part]?.[visited++] ?? 0));
    });
  }
  for (const column of plainColumns) {
    const value = shown[column];
    const texts = Array.isArray(value) ? value : value === undefined || value === '' ? [] : [value];
    for (const text of texts) add(column, String(text), undefined);
  }
  return Object.fromEntries(
    Array.from(found, ([column, values]) => [
      column,
      {
        values: Array.from(values, ([value, domains]) => ({ value, domains })).slice(0, valuesMax),
        more: Math.max(0, values.size - valuesMax),
      },
    ]),
  );
}
