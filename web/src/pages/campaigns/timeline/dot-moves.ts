/** Where the arrow keys lead from a dot. */
import type { Dot } from './timeline-rows.ts';

type Rows = readonly (readonly Pick<Dot, 'key' | 'column'>[])[];

/** The key of the dot that has the focus next; undefined where there is none, and for other keys. */
export function nextDot(rows: Rows, at: string, key: string): string | undefined {
  const row = rows.findIndex((dots) => dots.some((dot) => dot.key === at));
  const dots = rows[row];
  const index = dots?.findIndex((dot) => dot.key === at) ?? -1;
  if (!dots || index < 0) return undefined;
  switch (key) {
    case 'ArrowRight':
      return dots[index + 1]?.key;
    case 'ArrowLeft':
      return dots[index - 1]?.key;
    case 'Home':
      return dots[0]?.key;
    case 'End':
      return dots.at(-1)?.key;
    case 'ArrowDown':
      return nearest(
        rows.slice(row + 1).find((other) => other.length > 0),
        dots[index]?.column,
      );
    case 'ArrowUp':
      return nearest(
        rows.slice(0, row).findLast((other) => other.length > 0),
        dots[index]?.column,
      );
    default:
      return undefined;
  }
}

function nearest(dots: Rows[number] | undefined, column = 0): string | undefined {
  return dots?.toSorted((one, other) => Math.abs(one.column - column) - Math.abs(other.column - column))[0]
    ?.key;
}
