/** Printing for people and for programs. Data from outside never reaches a terminal with its control characters. */
import { harmless } from '../model/harmless-text.ts';

export function print(text = ''): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value));
}

/** Columns of text under their titles, each as wide as its widest cell. */
export function printTable(titles: readonly string[], rows: readonly (readonly unknown[])[]): void {
  const cells = [titles, ...rows].map((row) => row.map((cell) => harmless(String(cell ?? ''))));
  const widths = titles.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  for (const row of cells)
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
