/** One domain in one line of the list. */
import { hostOf, nameSpans, punycodeOf } from './name-spans.ts';
import { cell, type Line, lineWidth, type Style, span } from './styled-line.ts';
import type { TriageRow } from './triage-api.ts';

export interface RowView {
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  /** What was decided, where the row stays in its list. */
  readonly moved: string | undefined;
  readonly width: number;
  readonly nowMs: number;
}

const classWidth = 14;
const ageWidth = 6;

export function rowLine(row: TriageRow, { isCurrent, isSelected, moved, width, nowMs }: RowView): Line {
  const styles: readonly Style[] = isCurrent ? ['reverse'] : [];
  const score = row.risk_score === null ? '–' : String(row.risk_score);
  const status = row.risk_score_status === 'provisional' ? '~' : ' ';
  const before: Line = [
    span(isCurrent ? '>' : ' ', 'bold'),
    span(isSelected ? '[x] ' : '[ ] ', ...(isSelected ? (['bold'] as const) : (['dim'] as const))),
    span(`${status}${score.padStart(3)} `, ...riskStyle(row.risk_score)),
  ];
  const after: Line = [
    cell(moved ?? row.match[0]?.class ?? '', classWidth, 'dim'),
    cell(row.mx_exists ? 'mail' : '', 5, 'dim'),
    cell(age(row.discovered_date, nowMs).padStart(ageWidth), ageWidth, 'dim'),
  ];
  const room = Math.max(8, width - lineWidth(before) - lineWidth(after) - 1);
  return [...before, ...withStyles(nameCell(row, room), styles), span(' '), ...after];
}

/** The name, then its punycode as far as there is room. */
function nameCell(row: TriageRow, room: number): Line {
  const name = cut(nameSpans(row), room);
  const punycode = punycodeOf(hostOf(row));
  const left = room - lineWidth(name);
  if (punycode === undefined || left < 8) return [...name, span(' '.repeat(Math.max(0, left)))];
  return [...name, span('  '), cell(punycode, left - 2, 'dim')];
}

/** Whole pieces while they fit; the one that does not is cut. */
function cut(line: Line, room: number): Line {
  const kept: Line[number][] = [];
  let left = room;
  for (const piece of line) {
    const width = lineWidth([piece]);
    if (width > left) {
      if (left > 0) kept.push(cell(piece.text, left, ...(piece.styles ?? [])));
      return kept;
    }
    kept.push(piece);
    left -= width;
  }
  return kept;
}

function withStyles(line: Line, more: readonly Style[]): Line {
  return more.length === 0 ? line : line.map(({ text, styles = [] }) => span(text, ...styles, ...more));
}

/** The bands of the web UI. */
export function riskStyle(score: number | null): readonly Style[] {
  if (score === null) return ['dim'];
  if (score >= 70) return ['red', 'bold'];
  return score >= 40 ? ['yellow'] : ['green'];
}

export function age(instant: string, nowMs: number): string {
  const minutes = Math.max(0, Math.floor((nowMs - Date.parse(instant)) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h`;
  return `${Math.floor(minutes / 1440)} d`;
}
