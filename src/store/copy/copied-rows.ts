/** Rows of a table on their way from one kind of store to the other: in the form in which the embedded store has them. */

export type CopiedValue = string | number | Buffer | null;
export type CopiedRow = readonly CopiedValue[];

/** Rows that are read or written together. */
export const pageRows = 250;

/** How PostgreSQL stores what SQLite has as an integer, a number, a text or bytes. */
export type ColumnType = 'boolean' | 'bytes' | 'double' | 'int' | 'bigint' | 'json' | 'text' | 'texts';

export interface ReadColumn {
  readonly name: string;
  /** Known for PostgreSQL alone. */
  readonly type?: ColumnType;
}

export interface RowSelection {
  /** The table, or a query in parentheses. */
  readonly from: string;
  readonly columns: readonly ReadColumn[];
  /** A condition on the rows. */
  readonly only?: string | undefined;
  /** Names of columns whose values identify a row. Rows come in their order: texts and bytes by their bytes. */
  readonly key: readonly string[];
}

export interface RowTarget {
  readonly table: string;
  readonly columns: readonly ReadColumn[];
  /** Rows that are replaced; all without it. */
  readonly only?: string | undefined;
  /** Statements for when all rows are there. */
  readonly finish: readonly string[];
}

/** Writes the whole of a table at once, or nothing. `scan` may be called again. */
export type PutRows = (target: RowTarget, scan: () => AsyncIterable<readonly CopiedRow[]>) => Promise<number>;
