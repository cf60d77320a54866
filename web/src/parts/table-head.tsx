import type { ReactNode } from 'react';

/** A column by its word, or with how it is drawn: numbers stand to the right, and some words are for screen readers alone. */
export type HeadColumn =
  | string
  | { readonly label: ReactNode; readonly number?: true }
  | { readonly unseen: string };

export function TableHead({ columns }: { columns: readonly HeadColumn[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column, index) => (
          <th key={index} scope="col" className={isNumber(column) ? 'number' : undefined}>
            {wordOf(column)}
          </th>
        ))}
      </tr>
    </thead>
  );
}

const isNumber = (column: HeadColumn): boolean => typeof column === 'object' && 'number' in column;

function wordOf(column: HeadColumn): ReactNode {
  if (typeof column === 'string') return column;
  return 'unseen' in column ? <span className="sr">{column.unseen}</span> : column.label;
}
