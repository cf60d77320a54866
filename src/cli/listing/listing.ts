/** Writes rows as a table, NDJSON or CSV. Rows are written as they come, unless they are to be sorted. */
import { csvRow, headerRow } from '../../model/feed/csv-row.ts';
import { wantsColour } from './colour.ts';
import { type Column, cellText, columnOf, member, memberAt } from './column.ts';
import { type Format, formatOf, type ListingOptions } from './listing-options.ts';
import { openSink, type Sink } from './sink.ts';
import { Table } from './table.ts';

/** So many rows decide about the widths of a table. */
const measuredRows = 200;
const usualColumns = 80;

export interface ListingNeeds {
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export class Listing<Row extends object> {
  /** Without any, those of the first row. */
  #columns: readonly Column<Row>[];
  readonly #options: ListingOptions;
  readonly #format: Format;
  readonly #colour: boolean;
  readonly #seen = new Set<string>();
  readonly #waiting: Row[] = [];
  readonly #sortBy: Column<Row> | undefined;
  #sink: Sink | undefined;
  #table: Table<Row> | undefined;
  #isBegun = false;
  #count = 0;

  constructor(
    columns: readonly Column<Row>[],
    options: ListingOptions,
    { environment }: ListingNeeds,
    inPipe?: Format,
  ) {
    const isTerminal = process.stdout.isTTY;
    this.#options = options;
    this.#format = formatOf(options, isTerminal, inPipe);
    this.#colour = isTerminal && wantsColour(options, environment);
    const shown = columns.filter(({ hidden = false }) => !hidden);
    this.#columns = options.fields?.map((name) => columnOf(name, columns)) ?? shown;
    this.#sortBy = options.sort && columnOf(options.sort.field, columns);
  }

  get format(): Format {
    return this.#format;
  }

  get count(): number {
    return this.#count;
  }

  async add(row: Row): Promise<void> {
    this.#count += 1;
    if (this.#columns.length === 0) this.#columns = columnsOf(row, this.#format);
    const isHeld = this.#sortBy !== undefined || (this.#format === 'table' && this.#table === undefined);
    if (!isHeld) return this.#write(row);
    this.#waiting.push(row);
    if (this.#sortBy === undefined && this.#waiting.length >= measuredRows) await this.flush();
  }

  /** Writes what waits: for streams, whose next row may be long in coming. */
  async flush(): Promise<void> {
    if (this.#sortBy !== undefined) return;
    for (const row of this.#begun(this.#waiting.splice(0))) await this.#write(row);
  }

  /** After the last row. Without it nothing of a file exists. */
  async end(): Promise<void> {
    const rows = this.#begun(this.#sorted(this.#waiting.splice(0)));
    for (const row of rows) await this.#write(row);
    if (this.#format === 'csv' && !this.#isBegun) await this.#head();
    await (await this.#open()).end();
    this.#reportUnknownFields();
  }

  #begun(rows: readonly Row[]): readonly Row[] {
    if (this.#format === 'table' && rows.length > 0) {
      const columns = process.stdout.isTTY
        ? process.stdout.columns || usualColumns
        : Number.POSITIVE_INFINITY;
      this.#table ??= new Table(this.#columns, rows, { columns, colour: this.#colour });
    }
    return rows;
  }

  async #write(row: Row): Promise<void> {
    if (!this.#isBegun) await this.#head();
    for (const { name, value } of this.#columns) if (value(row) !== undefined) this.#seen.add(name);
    await (await this.#open()).write(this.#text(row));
  }

  async #head(): Promise<void> {
    this.#isBegun = true;
    const sink = await this.#open();
    if (this.#format === 'csv') await sink.write(headerRow(this.#columns.map(({ name }) => name)));
    if (this.#table) await sink.write(`${this.#table.head()}\n`);
  }

  #text(row: Row): string {
    if (this.#table) return `${this.#table.row(row)}\n`;
    if (this.#format === 'ndjson')
      return `${JSON.stringify(this.#options.fields ? this.#picked(row, (value) => value) : row)}\n`;
    const cells = this.#picked(row, (value) => (typeof value === 'number' ? value : cellText(value)));
    return csvRow(
      cells,
      this.#columns.map(({ name }) => name),
    );
  }

  #picked(row: Row, form: (value: unknown) => unknown): Record<string, unknown> {
    return Object.fromEntries(this.#columns.map(({ name, value }) => [name, form(value(row) ?? null)]));
  }

  #sorted(rows: readonly Row[]): readonly Row[] {
    const by = this.#sortBy;
    if (by === undefined) return rows;
    const sign = this.#options.sort?.descending ? -1 : 1;
    const keyed = rows.map((row) => ({ row, key: by.value(row) }));
    if (rows.length > 0 && keyed.every(({ key }) => key === undefined)) this.#note(unknownField(by.name));
    return keyed.sort((one, other) => compared(one.key, other.key, sign)).map(({ row }) => row);
  }

  #reportUnknownFields(): void {
    if (this.#count === 0) return;
    for (const name of this.#options.fields ?? []) if (!this.#seen.has(name)) this.#note(unknownField(name));
  }

  #note(text: string): void {
    if (!this.#options.quiet) process.stderr.write(`${text}\n`);
  }

  async #open(): Promise<Sink> {
    return (this.#sink ??= await openSink(this.#options.output));
  }
}

const tableColumnsMax = 8;

/** A table has the simple members alone. */
function columnsOf<Row extends object>(row: Row, format: Format): readonly Column<Row>[] {
  const names = Object.keys(row);
  if (format !== 'table') return names.map((name) => member(name));
  const isSimple = (name: string) =>
    cellText(memberAt(row, name)).length < 80 && !isNested(memberAt(row, name));
  return names
    .filter(isSimple)
    .slice(0, tableColumnsMax)
    .map((name) => member(name));
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unknownField(name: string): string {
  return `No result has a field ${name}; without --fields, --json shows all there are.`;
}

/** Numbers by value, everything else as text; what is absent comes last in either direction. */
function compared(one: unknown, other: unknown, sign: number): number {
  const [isAbsent, otherIsAbsent] = [cellText(one) === '', cellText(other) === ''];
  if (isAbsent || otherIsAbsent) return Number(isAbsent) - Number(otherIsAbsent);
  if (typeof one === 'number' && typeof other === 'number') return sign * (one - other);
  return sign * cellText(one).localeCompare(cellText(other), 'en', { numeric: true });
}
