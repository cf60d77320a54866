/**
 * CSV rows (RFC 4180): quoted cells may contain commas and line ends. Lines starting with `#` are comments. An unclosed quote costs
 * one line, not the rest of the file.
 */

const rowLinesMax = 8;
const cellsMax = 1000;

/** Undefined: a line that belongs to no row. */
type Row = readonly string[] | undefined;

export class CsvRows {
  /** Lines of a row whose last cell is still open. */
  #open: string[] = [];

  /** The rows that end with this line. Undefined: a line that exceeds the length limit. */
  addLine(line: string | undefined): readonly Row[] {
    if (line === undefined) return [...this.end(), undefined];
    if (this.#open.length === 0 && (line.trim() === '' || line.startsWith('#'))) return [];
    const lines = [...this.#open, line];
    const cells = cellsOf(lines.join('\n'));
    if (cells) {
      this.#open = [];
      return [cells];
    }
    this.#open = lines;
    return lines.length < rowLinesMax ? [] : this.#discardFirst();
  }

  /** The rest, after the last line. */
  end(): readonly Row[] {
    const rows: Row[] = [];
    while (this.#open.length > 0) rows.push(...this.#discardFirst());
    return rows;
  }

  /** The first line was not the start of a row; the others are parsed again on their own. */
  #discardFirst(): Row[] {
    const [, ...others] = this.#open;
    this.#open = [];
    return [undefined, ...others.flatMap((line) => this.addLine(line))];
  }
}

/** Undefined where a quote is still open. */
function cellsOf(text: string): readonly string[] | undefined {
  const cells: string[] = [];
  let at = 0;
  while (cells.length < cellsMax) {
    if (text[at] !== '"') {
      const end = text.indexOf(',', at);
      cells.push(end < 0 ? text.slice(at) : text.slice(at, end));
      if (end < 0) break;
      at = end + 1;
      continue;
    }
    const close = closingQuote(text, at + 1);
    if (close < 0) return undefined;
    cells.push(text.slice(at + 1, close).replaceAll('""', '"'));
    // Text between a closing quote and the next comma is dropped.
    const end = text.indexOf(',', close + 1);
    if (end < 0) break;
    at = end + 1;
  }
  return cells;
}

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
}
