/** Results as an aligned table, for a terminal and for a page. */
import {
  type Bound,
  boundedFigures,
  type Figure,
  figureOf,
  isJudged,
  isMet,
  type Result,
  type Size,
} from './benchmark.ts';

const heads = ['work', 'ours', 'peer', 'ratio', 'wanted', 'at 10 ×', 'CPU', 'memory'] as const;
const figureNames = {
  ours: '',
  ratio: 'ratio ',
  growthAt10x: 'at 10 × ',
  cpuSeconds: 'CPU ',
  memoryBytes: '',
};

/** Three significant digits, and whole numbers above a thousand. */
export function shownNumber(value: number): string {
  if (!Number.isFinite(value)) return '?';
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString('en');
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  if (size >= 1 || size === 0) return value.toFixed(2);
  return String(Number(value.toPrecision(2)));
}

export function shownBytes(bytes: number): string {
  return `${shownNumber(bytes / 1e6)} MB`;
}

function shownFigure({ value, unit }: Figure): string {
  return `${shownNumber(value)} ${unit}`.trimEnd();
}

function shownBound(bound: Bound, shown: (value: number) => string): string {
  return 'atLeast' in bound ? `≥ ${shown(bound.atLeast)}` : `≤ ${shown(bound.atMost)}`;
}

function shownWanted(result: Result, size: Size): string {
  const parts = boundedFigures.flatMap((figure) => {
    const bound = result.wanted?.[figure];
    if (!bound) return [];
    const shown = figure === 'memoryBytes' ? shownBytes : shownNumber;
    const verdict = isMet(figureOf(result, figure), bound) ? ' met' : ' MISSED';
    return `${figureNames[figure]}${shownBound(bound, shown)}${isJudged(bound, size) ? verdict : ''}`;
  });
  return parts.join(', ');
}

function cellsOf(result: Result, size: Size): readonly string[] {
  const { work, ours, peer, ratio, growthAt10x, cpuSeconds, memoryBytes } = result;
  return [
    work,
    shownFigure(ours),
    peer ? `${shownFigure(peer)}, ${peer.name}` : '–',
    ratio === null ? '–' : shownNumber(ratio),
    shownWanted(result, size) || '–',
    growthAt10x === null ? '–' : `× ${shownNumber(growthAt10x)}`,
    `${shownNumber(cpuSeconds)} s`,
    shownBytes(memoryBytes),
  ];
}

/** Columns of figures are right-aligned. */
const isRight = (column: number): boolean => column === 1 || column === 3 || column >= 5;

/** Wide glyphs do not occur in results. */
function aligned(rows: readonly (readonly string[])[], between: string): readonly string[] {
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return isRight(column) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join(between)
      .trimEnd(),
  );
}

export function terminalTable(results: readonly Result[], size: Size): string {
  const rows = [heads, ...results.map((result) => cellsOf(result, size))];
  return aligned(rows, '  ').join('\n');
}

export function markdownTable(results: readonly Result[], size: Size): string {
  const escaped = (cell: string) => cell.replaceAll('|', '\\|').replace('MISSED', '**missed**');
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = heads.map((_, column) => (isRight(column) ? '--:' : '---'));
  return [heads, rule, ...results.map((result) => cellsOf(result, size).map(escaped))].map(line).join('\n');
}
