/**
 * A table of thousands of rows of which only the cells that can be seen are in the document. A grid after the ARIA pattern: the grid has the focus,
 * the arrows move between cells, Home and End within a row, with Ctrl to the first and last row. Space selects, Enter opens, `.` opens the operations.
 */
import '../styles/grid.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type MouseEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
} from 'react';
import { usePreferences } from '../data/me.ts';
import { GridHead } from './grid/grid-head.tsx';
import type { CellAt } from './grid/grid-moves.ts';
import { GridRow } from './grid/grid-row.tsx';
import { useGridKeys } from './grid/use-grid-keys.ts';
import { useRowSelection } from './grid/use-row-selection.ts';
import { useVisibleColumns } from './grid/use-visible-columns.ts';
import { useStable } from './use-stable.ts';

export interface GridColumn<Row> {
  readonly id: string;
  readonly name: string;
  /** In pixels. */
  readonly width: number;
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** Sorting by it: what a click on its head does, and how it is sorted now. */
  readonly sort?: { readonly now: 'ascending' | 'descending' | undefined; readonly change: () => void };
}

/** A cell that an operation is wanted for, and where it is. */
export interface GridCell<Row> {
  readonly row: Row;
  readonly column: string;
  readonly element: Element;
  /** What was under the pointer. */
  readonly target: EventTarget | undefined;
  readonly pointer: { readonly x: number; readonly y: number } | undefined;
}

export interface DataGridHandle {
  focus(): void;
}

export interface DataGridProps<Row> {
  readonly label: string;
  /** The first one stays in sight. */
  readonly columns: readonly GridColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Of the whole result, where not all of it is loaded. */
  readonly total?: number;
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (keys: ReadonlySet<string>) => void;
  /** Enter and double click. */
  readonly onOpen?: (row: Row, column: string) => void;
  /** `.`, right click, a click on something with `data-value`. */
  readonly onMenu?: (cell: GridCell<Row>) => void;
  /** The row that the focus has come to. */
  readonly onMove?: (row: Row) => void;
  /** After the last row. */
  readonly foot?: ReactNode;
  readonly handle?: Ref<DataGridHandle>;
}

const heights = { comfortable: 36, compact: 28 } as const;
const headHeight = 34;

export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { label, columns, rows, rowKey, total = rows.length, selected, onSelect } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const rowHeight = heights[usePreferences().density];
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 4,
    scrollPaddingStart: headHeight,
    // Rows of one frame are drawn together.
    useFlushSync: false,
  });
  useEffect(() => virtualizer.measure(), [rowHeight, virtualizer]);
  useImperativeHandle(
    props.handle,
    () => ({ focus: () => grid.current?.focus({ preventScroll: true }) }),
    [],
  );
  const drawn = useVisibleColumns(scroller, columns);
  const select = useRowSelection(props);
  const cellId = (cell: CellAt) => `${id}-${cell.row}-${cell.column}`;
  const openMenu = (cell: CellAt, from?: MouseEvent): boolean => {
    const row = rows[cell.row];
    const column = columns[cell.column]?.id;
    const element = document.getElementById(cellId(cell));
    if (!props.onMenu || row === undefined || column === undefined || !element) return false;
    const pointer = from && { x: from.clientX, y: from.clientY };
    props.onMenu({ row, column, element, target: from?.target, pointer });
    return true;
  };
  const { current, moveTo, onKeyDown } = useGridKeys(props, {
    scroller,
    grid,
    rowHeight,
    select,
    openMenu,
    scrollToRow: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
  });
  const click = useStable((event: MouseEvent, row: number, column: number) => {
    const cell = { row, column };
    const isOn = (what: string) => event.target instanceof Element && event.target.closest(what) !== null;
    moveTo(cell, false);
    if (event.type === 'contextmenu') {
      if (openMenu(cell, event)) event.preventDefault();
    } else if (isOn('.grid-box') || event.ctrlKey || event.metaKey || event.shiftKey)
      select(row, event.shiftKey);
    else if (isOn('[data-value]')) openMenu(cell, event);
    else if (event.detail === 2 && rows[row] !== undefined)
      props.onOpen?.(rows[row], columns[column]?.id ?? '');
  });
  const items = virtualizer.getVirtualItems();
  const slots = useMost(items.length);
  return (
    <div className="grid-scroll" ref={scroller}>
      <div
        ref={grid}
        role="grid"
        aria-label={label}
        aria-rowcount={total + 1}
        aria-colcount={columns.length}
        aria-multiselectable={onSelect !== undefined}
        aria-activedescendant={items.some(({ index }) => index === current.row) ? cellId(current) : undefined}
        tabIndex={0}
        style={{ width: drawn.width }}
        onKeyDown={onKeyDown}
      >
        <GridHead columns={columns} drawn={drawn} hasBox={onSelect !== undefined} height={headHeight} />
        <div role="rowgroup" className="grid-rows" style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <GridRow
                // A row that scrolls out gives its elements to one that scrolls in.
                key={index % slots}
                id={id}
                row={row}
                index={index}
                start={start}
                height={rowHeight}
                columns={columns}
                drawn={drawn}
                currentColumn={index === current.row ? current.column : -1}
                isSelected={onSelect && (selected?.has(rowKey(row)) ?? false)}
                click={click}
              />
            );
          })}
        </div>
      </div>
      {props.foot !== undefined && <div className="grid-foot">{props.foot}</div>}
    </div>
  );
}

/** The greatest number so far. */
function useMost(count: number): number {
  const most = useRef(1);
  most.current = Math.max(most.current, count);
  return most.current;
}
