/** The cell that has the focus, and what the keyboard does with it. */
import { type KeyboardEvent, type RefObject, useState } from 'react';
import type { DataGridProps } from '../data-grid.tsx';
import { type CellAt, cellAfter } from './grid-moves.ts';

interface GridParts {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly grid: RefObject<HTMLElement | null>;
  readonly rowHeight: number;
  readonly select: (index: number, range: boolean) => void;
  readonly openMenu: (cell: CellAt) => boolean;
  readonly scrollToRow: (index: number) => void;
}

export function useGridKeys<Row>(props: DataGridProps<Row>, parts: GridParts) {
  const { columns, rows, rowKey, selected, onSelect, onOpen, onMove } = props;
  const { scroller, grid, rowHeight, select, openMenu, scrollToRow } = parts;
  const [at, setAt] = useState<CellAt>({ row: 0, column: 0 });
  const size = { rows: rows.length, columns: columns.length };
  const current: CellAt = {
    row: Math.max(0, Math.min(at.row, size.rows - 1)),
    column: Math.max(0, Math.min(at.column, size.columns - 1)),
  };
  const moveTo = (next: CellAt, scrolls = true) => {
    setAt(next);
    if (scrolls) {
      scrollToRow(next.row);
      scrollToColumn(scroller.current, columns, next.column);
    }
    const row = rows[next.row];
    if (row !== undefined) onMove?.(row);
  };
  const open = () => {
    const row = rows[current.row];
    const isMenu = current.column > 0 && openMenu(current);
    if (!isMenu && row !== undefined) onOpen?.(row, columns[current.column]?.id ?? '');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== grid.current || size.rows === 0) return;
    const { key, shiftKey } = event;
    const isMod = event.ctrlKey || event.metaKey;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
    const next = cellAfter(key, { at: current, size, page, isMod });
    if (next) {
      moveTo(next);
      if (shiftKey && next.row !== current.row) select(next.row, true);
    } else if (key === ' ' && onSelect) select(current.row, shiftKey);
    else if (isMod && key.toLowerCase() === 'a' && onSelect) onSelect(new Set(rows.map(rowKey)));
    else if (key === 'Escape' && selected && selected.size > 0) onSelect?.(new Set());
    else if (key === 'Enter') open();
    else if (key === '.' || key === 'ContextMenu') openMenu(current);
    else return;
    event.preventDefault();
  };
  return { current, moveTo, onKeyDown };
}

/** The first column covers what is below it. */
function scrollToColumn(
  scroller: HTMLElement | null,
  columns: readonly { readonly width: number }[],
  index: number,
): void {
  if (!scroller || index === 0) return;
  const first = columns[0]?.width ?? 0;
  const left = columns.slice(0, index).reduce((sum, { width }) => sum + width, 0);
  const right = left + (columns[index]?.width ?? 0);
  if (left - first < scroller.scrollLeft) scroller.scrollLeft = left - first;
  else if (right > scroller.scrollLeft + scroller.clientWidth)
    scroller.scrollLeft = right - scroller.clientWidth;
}
