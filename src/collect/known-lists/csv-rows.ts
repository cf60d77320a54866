/**
 * Rows of a table as RFC 4180 writes them: cells between commas, in quotes where they hold one, even over several lines. Lines that begin
 * with `#` are comments. A quote that is never closed costs one line, not the rest of the file.
 */

const rowLinesMax = 8;
const cellsMax = 1000;

/** Undefined stands for a line that is part of no row. */
type Row = readonly string[] | undefined;

export class CsvRows {
  /** Lines of a row whose last cell is open. */
  #open: string[] = [];

  /** The rows that end with a line; undefined stands for a line beyond all measure. */
  take(line: string | undefined): readonly Row[] {
    if (line === undefined) return [...this.end(), undefined];
    if (this.#open.length === 0 && (line.trim() === '' || line.startsWith('#'))) return [];
    const lines = [...this.#open, line];
    const cells = cellsOf(lines.join('\n'));
    if (cells) {
      this.#open = [];
      return [cells];
    }
    this.#open = lines;
    return lines.length < rowLinesMax ? [] : this.#giveUpFirst();
  }

  /** What is left when there are no more lines. */
  end(): readonly Row[] {
    const rows: Row[] = [];
    while (this.#open.length > 0) rows.push(...this.#giveUpFirst());
    return rows;
  }

  /** The first line was none of a row after all; those behind it are read for themselves. */
  #giveUpFirst(): Row[] {
    const [, ...others] = this.#open;
    this.#open = [];
    return [undefined, ...others.flatMap((line) => this.take(line))];
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
    // What stands between a quote and the next comma belongs nowhere.
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
