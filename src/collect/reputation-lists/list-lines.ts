/** Parses the lines of a list in each line-based format. `listed-name.ts` decides whether an entry is a domain. */
import { isIP } from 'node:net';
import { namesOfLine } from '../sources/name-lists/names-of-line.ts';
import { CsvRows } from './csv-rows.ts';
import type { ListEntry } from './list-entry.ts';

export interface LineReader {
  /** Undefined: a line that exceeds the length limit. */
  read(line: string | undefined): readonly ListEntry[];
  /** Call after the last line. */
  end(): readonly ListEntry[];
}

export type LineFormat = 'plain' | 'hosts' | 'csv';

const lineCharactersMax = 16_384;

const nothing: ListEntry = { text: '' };

export function lineReader(format: LineFormat, column: number): LineReader {
  return format === 'csv' ? csvReader(column) : { read: readerOf(format), end: () => [] };
}

function readerOf(format: 'plain' | 'hosts'): LineReader['read'] {
  return (line) => {
    if (line === undefined || line.length > lineCharactersMax) return [nothing];
    const [first = ''] = line.trimStart().split(/[\s,;#]/, 1);
    if (first === '') return [];
    const names = format === 'hosts' && isIP(first) === 0 ? [] : namesOfLine(line);
    const rank = rankOf(first);
    if (names.length === 0) return [nothing];
    return names.map((text) => (rank === undefined ? { text } : { text, rank }));
  };
}

function csvReader(column: number): LineReader {
  const rows = new CsvRows();
  const entryOf = (cells: readonly string[] | undefined): ListEntry => {
    const rank = rankOf(cells?.[0] ?? '');
    const text = cells?.[column - 1]?.trim() ?? '';
    return rank === undefined ? { text } : { text, rank };
  };
  return {
    read: (line) =>
      rows.addLine(line === undefined || line.length > lineCharactersMax ? undefined : line).map(entryOf),
    end: () => rows.end().map(entryOf),
  };
}

function rankOf(text: string): number | undefined {
  const digits = /^"?([1-9]\d{0,8})"?$/.exec(text.trim())?.[1];
  return digits === undefined ? undefined : Number(digits);
}
