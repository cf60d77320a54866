/** How a table of the embedded stores and one of the distributed stores become each other. Columns have the same names unless it says otherwise. */
import type { CopiedValue } from '../store/copy/copied-rows.ts';
import type { CopiedDatabase } from '../store/embedded/copy/copied-databases.ts';

/** A row by the names of the embedded columns. */
export type RowValues = Readonly<Record<string, CopiedValue>>;

export interface Conversion {
  readonly toDistributed: (value: CopiedValue) => CopiedValue;
  readonly toEmbedded: (value: CopiedValue) => CopiedValue;
}

export interface OfSides<Value> {
  readonly embedded?: Value;
  readonly distributed?: Value;
}

export interface CopiedTable {
  readonly database: CopiedDatabase;
  readonly embedded: string;
  readonly distributed: string;
  /** Embedded columns that identify a row. */
  readonly key: readonly string[];
  /** Columns of `from` by which rows are copied, where the order matters. */
  readonly order?: readonly string[];
  /** Distributed columns by the names of the embedded ones. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Columns whose values differ by more than the types of their columns do. */
  readonly converted?: Readonly<Record<string, Conversion>>;
  /** Columns of one side alone, whose value follows from the row. */
  readonly computed?: OfSides<Readonly<Record<string, (row: RowValues) => CopiedValue>>>;
  /** Columns of one side alone that are left to their default, or to `finish`. */
  readonly leftOut?: OfSides<readonly string[]>;
  /** Columns that are copied and may differ afterwards. */
  readonly uncompared?: readonly string[];
  /** A query that is read instead of the table. */
  readonly from?: OfSides<string>;
  /** A condition on the rows that are meant. */
  readonly only?: OfSides<string>;
  /** Statements for when all rows are there. */
  readonly finish?: OfSides<readonly string[]>;
  /** Where the last number that was given is stored, if not with an identity column: a column of a table with one row. */
  readonly lastNumber?: { readonly table: string; readonly column: string };
  /** It has rows in empty stores. */
  readonly isNeverEmpty?: true;
}
