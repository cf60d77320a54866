/**
 * A table that fits the width of a terminal. The widths are those of the first rows; later ones are cut to them. Control characters are
 * escaped, because the text may be from third parties.
 */
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import { coloured } from './colour.ts';
import { type Column, cellText } from './column.ts';
import { displayWidth, fitted } from './display-width.ts';

const gap = '  ';
const narrowest = 6;

export interface TableStyle {
  readonly columns: number;
  readonly colour: boolean;
}

export class Table<Row> {
  readonly #columns: readonly Column<Row>[];
  readonly #style: TableStyle;
  readonly #widths: readonly number[];

  constructor(columns: readonly Column<Row>[], firstRows: readonly Row[], style: TableStyle) {
    this.#columns = columns;
    this.#style = style;
    const natural = columns.map((column) =>
      Math.max(
        displayWidth(titleOf(column)),
        ...firstRows.map((row) => displayWidth(this.#text(column, row))),
      ),
    );
    const available = style.columns - gap.length * (columns.length - 1);
    const first = columns.map(({ keep = false }) => !keep);
    this.#widths = shrunk(
      shrunk(natural, available, first),
      available,
      columns.map(() => true),
    );
  }

  head(): string {
    return this.#line(this.#columns.map((column) => [titleOf(column), column, 'bold'] as const));
  }

  row(row: Row): string {
    return this.#line(
      this.#columns.map(
        (column) => [this.#text(column, row), column, column.colour?.(column.value(row))] as const,
      ),
    );
  }

  #text(column: Column<Row>, row: Row): string {
    return escapeForTerminal(cellText(column.value(row)));
  }

  #line(cells: readonly (readonly [string, Column<Row>, Parameters<typeof coloured>[1]])[]): string {
    const last = cells.length - 1;
    return cells
      .map(([text, { right = false }, colour], index) => {
        const shown = fitted(text, this.#widths[index] ?? 0);
        const space = ' '.repeat(Math.max(0, (this.#widths[index] ?? 0) - displayWidth(shown)));
        const painted = this.#style.colour ? coloured(shown, colour) : shown;
        if (right) return space + painted;
        return index === last ? painted : painted + space;
      })
      .join(gap)
      .trimEnd();
  }
}

function titleOf<Row>({ title, name }: Column<Row>): string {
  return title ?? name.replaceAll('_', ' ').toUpperCase();
}

/** The widest of the columns that may give way do so first. */
function shrunk(
  natural: readonly number[],
  available: number,
  mayShrink: readonly boolean[],
): readonly number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, 0) - available;
  while (excess > 0) {
    const open = widths.map((width, index) => (mayShrink[index] ? width : 0));
    const widest = open.indexOf(Math.max(...open));
    if ((open[widest] ?? 0) <= narrowest) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}
