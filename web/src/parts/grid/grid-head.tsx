import { ArrowDown, ArrowUp } from 'lucide-react';
import { gridWords } from '../../words/grid.ts';
import type { GridColumn } from '../data-grid.tsx';
import type { DrawnColumns } from './use-visible-columns.ts';

interface GridHeadProps<Row> {
  readonly columns: readonly GridColumn<Row>[];
  readonly drawn: DrawnColumns;
  readonly hasBox: boolean;
  readonly height: number;
}

export function GridHead<Row>({ columns, drawn, hasBox, height }: GridHeadProps<Row>) {
  const [first, ...others] = columns;
  return (
    <div role="rowgroup" className="grid-head">
      <div role="row" aria-rowindex={1} style={{ height }}>
        {first && <Head column={first} index={0} left={0} hasBox={hasBox} />}
        {others.slice(drawn.from - 1, drawn.to - 1).map((column, at) => (
          <Head
            key={column.id}
            column={column}
            index={drawn.from + at}
            left={drawn.lefts[drawn.from + at] ?? 0}
            hasBox={false}
          />
        ))}
      </div>
    </div>
  );
}

interface HeadProps<Row> {
  readonly column: GridColumn<Row>;
  readonly index: number;
  readonly left: number;
  readonly hasBox: boolean;
}

function Head<Row>({ column: { name, width, isNumber, sort }, index, left, hasBox }: HeadProps<Row>) {
  const classes = ['grid-cell', index === 0 && 'first', isNumber && 'number', hasBox && 'with-box'];
  return (
    <div
      role="columnheader"
      aria-colindex={index + 1}
      aria-sort={sort ? (sort.now ?? 'none') : undefined}
      className={classes.filter(Boolean).join(' ')}
      style={index === 0 ? { width } : { left, width }}
    >
      {sort ? (
        <button type="button" title={gridWords.sortedBy(name)} onClick={sort.change}>
          {name}
          {sort.now === 'ascending' && <ArrowUp size={13} aria-hidden />}
          {sort.now === 'descending' && <ArrowDown size={13} aria-hidden />}
        </button>
      ) : (
        name
      )}
    </div>
  );
}
