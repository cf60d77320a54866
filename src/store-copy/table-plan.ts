/** A copied table with its columns on both sides. */
import type {
  CopiedRow,
  CopiedValue,
  ReadColumn,
  RowSelection,
  RowTarget,
} from '../store/copy/copied-rows.ts';
import type { TableColumn } from '../store/distributed/copy/table-columns.ts';
import type { CopiedTable, RowValues } from './copied-table.ts';

interface ColumnPair {
  readonly embedded: string;
  readonly distributed: TableColumn & Required<ReadColumn>;
}

export interface TablePlan {
  readonly table: CopiedTable;
  /** For people, and unique. */
  readonly name: string;
  readonly pairs: readonly ColumnPair[];
  readonly embedded: { readonly target: RowTarget; readonly rowOf: (row: CopiedRow) => CopiedRow };
  readonly distributed: {
    readonly target: RowTarget;
    readonly rowOf: (row: CopiedRow) => CopiedRow;
    /** The form that the embedded store has. */
    readonly read: (row: CopiedRow) => CopiedRow;
    /** Numbered by PostgreSQL. */
    readonly identity: string | undefined;
  };
}

/** Throws where a column of either side is not accounted for. */
export function planTable(
  table: CopiedTable,
  ofEmbedded: readonly string[],
  ofDistributed: readonly TableColumn[],
): TablePlan {
  const { renamed = {}, computed = {}, leftOut = {} } = table;
  const isOwn = (side: 'embedded' | 'distributed', column: string) =>
    computed[side]?.[column] !== undefined || leftOut[side]?.includes(column) === true;
  const types = new Map(ofDistributed.map((column) => [column.name, column]));
  const pairs = ofEmbedded
    .filter((column) => !isOwn('embedded', column))
    .map((column) => {
      const distributed = types.get(renamed[column] ?? column);
      if (!distributed || distributed.type === 'other')
        throw unknown(`${table.embedded}.${column} of the embedded stores`);
      return { embedded: column, distributed: { ...distributed, type: distributed.type } };
    });
  const paired = new Set(pairs.map(({ distributed }) => distributed.name));
  const left = ofDistributed.find(({ name }) => !paired.has(name) && !isOwn('distributed', name));
  if (left) throw unknown(`${table.distributed}.${left.name} of the distributed stores`);
  return {
    table,
    name: `${table.embedded} → ${table.distributed}`,
    pairs,
    embedded: {
      target: {
        table: table.embedded,
        columns: [...pairs.map(({ embedded }) => ({ name: embedded })), ...ownColumns(table, 'embedded')],
        only: table.only?.embedded,
        finish: table.finish?.embedded ?? [],
      },
      rowOf: (row) => [...row, ...ownValues(table, 'embedded', pairs, row)],
    },
    distributed: {
      target: {
        table: table.distributed,
        columns: [
          ...pairs.map(({ distributed }) => distributed),
          ...ownColumns(table, 'distributed').map(({ name }) => types.get(name) as ReadColumn),
        ],
        only: table.only?.distributed,
        finish: table.finish?.distributed ?? [],
      },
      rowOf: (row) => [
        ...row.map((value, at) => converted(table, pairs[at] as ColumnPair, 'toDistributed', value)),
        ...ownValues(table, 'distributed', pairs, row),
      ],
      read: (row) =>
        row.map((value, at) => {
          const pair = pairs[at] as ColumnPair;
          return converted(table, pair, 'toEmbedded', normal(pair, value));
        }),
      identity: pairs.find(({ distributed }) => distributed.isIdentity)?.distributed.name,
    },
  };
}

function unknown(column: string): Error {
  return new Error(
    `the copy does not know column ${column}; src/store-copy/tables must say what becomes of it`,
  );
}

/** What is read, in the order of the key, or in that in which rows must be written. */
export function selectionOf(
  { table, pairs }: TablePlan,
  side: 'embedded' | 'distributed',
  isForCopy: boolean,
): RowSelection {
  const { renamed = {} } = table;
  const names = isForCopy ? (table.order ?? table.key) : table.key;
  return {
    from: table.from?.[side] ?? table[side],
    columns: pairs.map((pair) => (side === 'embedded' ? { name: pair.embedded } : pair.distributed)),
    only: table.only?.[side],
    key: side === 'embedded' ? names : names.map((name) => renamed[name] ?? name),
  };
}

function ownColumns({ computed }: CopiedTable, side: 'embedded' | 'distributed'): readonly ReadColumn[] {
  return Object.keys(computed?.[side] ?? {}).map((name) => ({ name }));
}

function ownValues(
  { computed }: CopiedTable,
  side: 'embedded' | 'distributed',
  pairs: readonly ColumnPair[],
  row: CopiedRow,
): readonly CopiedValue[] {
  const own = Object.values(computed?.[side] ?? {});
  if (own.length === 0) return [];
  const values: RowValues = Object.fromEntries(
    pairs.map(({ embedded }, at) => [embedded, row[at] as CopiedValue]),
  );
  return own.map((compute) => compute(values));
}

function converted(
  table: CopiedTable,
  { embedded }: ColumnPair,
  way: 'toDistributed' | 'toEmbedded',
  value: CopiedValue,
): CopiedValue {
  const conversion = table.converted?.[embedded];
  return conversion && value !== null ? conversion[way](value) : value;
}

/** PostgreSQL writes JSON with spaces. */
function normal({ distributed }: ColumnPair, value: CopiedValue): CopiedValue {
  const isJson = distributed.type === 'json' || distributed.type === 'texts';
  return isJson && typeof value === 'string' ? JSON.stringify(JSON.parse(value)) : value;
}
