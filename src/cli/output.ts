/** Prints text, JSON and tables. Control characters in table cells are escaped, because they may come from third parties. */
import { escapeForTerminal } from '../model/escape-for-terminal.ts';

/** A closed pipe, as with `head`, is not a failure: a command has nothing left to do. */
let onClosedPipe: () => void = () => process.exit(0);

export function handleClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    onClosedPipe();
  });
}

/** A server has more to do than to print. */
export function goOnWhenUnread(): void {
  onClosedPipe = () => undefined;
}

export function print(text = ''): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value));
}

/** `1 line`, `2,000 lines` */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Columns of text under their titles, each as wide as its widest cell. */
export function printTable(titles: readonly string[], rows: readonly (readonly unknown[])[]): void {
  const cells = [titles, ...rows].map((row) => row.map((cell) => escapeForTerminal(String(cell ?? ''))));
  const widths = titles.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  for (const row of cells)
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
