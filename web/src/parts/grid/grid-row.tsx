import { type MouseEvent, memo, type ReactNode } from 'react';
import type { GridColumn } from '../data-grid.tsx';
import type { DrawnColumns } from './use-visible-columns.ts';

interface GridRowProps<Row> {
  readonly id: string;
  readonly row: Row;
  readonly index: number;
  readonly start: number;
  readonly height: number;
  readonly columns: readonly GridColumn<Row>[];
  readonly drawn: DrawnColumns;
  /** -1 in all rows but one. */
  readonly currentColumn: number;
  /** Undefined where nothing can be selected. */
  readonly isSelected: boolean | undefined;
  readonly click: (event: MouseEvent, row: number, column: number) => void;
}

function Row<Of>(props: GridRowProps<Of>) {
  const { id, row, index, start, height, columns, drawn, currentColumn, isSelected, click } = props;
  const cellAt = (at: number): ReactNode => {
    const column = columns[at];
    if (!column) return null;
    const classes = `grid-cell${at === 0 ? ' first' : ''}${column.isNumber ? ' number' : ''}${at === currentColumn ? ' at' : ''}`;
    return (
      <div
        key={column.id}
        id={`${id}-${index}-${at}`}
        role={at === 0 ? 'rowheader' : 'gridcell'}
        aria-colindex={at + 1}
        className={classes}
        style={at === 0 ? { width: column.width } : { left: drawn.lefts[at], width: column.width }}
        data-column={at}
      >
        {at === 0 && isSelected !== undefined && <span className="grid-box" aria-hidden="true" />}
        {column.cell(row)}
      </div>
    );
  };
  const onMouse = (event: MouseEvent) => {
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-column]') : null;
    if (cell) click(event, index, Number(cell.dataset['column']));
  };
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={currentColumn >= 0 ? 'grid-row at' : 'grid-row'}
      style={{ transform: `translateY(${start}px)`, height, lineHeight: `${height - 1}px` }}
      onClick={onMouse}
      onContextMenu={onMouse}
    >
      {cellAt(0)}
      {Array.from({ length: Math.max(0, drawn.to - drawn.from) }, (_, at) => cellAt(drawn.from + at))}
    </div>
  );
}

/** Drawn again only when something of its own changes: a table may have thousands. */
export const GridRow = memo(Row) as typeof Row;
