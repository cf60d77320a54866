/** Where the keys go in a grid. */

export interface CellAt {
  readonly row: number;
  readonly column: number;
}

interface Move {
  readonly at: CellAt;
  readonly size: { readonly rows: number; readonly columns: number };
  /** Rows that fit on the screen. */
  readonly page: number;
  /** Ctrl or Command. */
  readonly isMod: boolean;
}

/** Undefined for keys that do not move. It stays within the grid. */
export function cellAfter(key: string, { at: { row, column }, size, page, isMod }: Move): CellAt | undefined {
  const to = (nextRow: number, nextColumn: number): CellAt => ({
    row: Math.max(0, Math.min(size.rows - 1, nextRow)),
    column: Math.max(0, Math.min(size.columns - 1, nextColumn)),
  });
  switch (key) {
    case 'ArrowDown':
      return to(isMod ? size.rows - 1 : row + 1, column);
    case 'ArrowUp':
      return to(isMod ? 0 : row - 1, column);
    case 'ArrowRight':
      return to(row, isMod ? size.columns - 1 : column + 1);
    case 'ArrowLeft':
      return to(row, isMod ? 0 : column - 1);
    case 'Home':
      return to(isMod ? 0 : row, 0);
    case 'End':
      return to(isMod ? size.rows - 1 : row, size.columns - 1);
    case 'PageDown':
      return to(row + page, column);
    case 'PageUp':
      return to(row - page, column);
    default:
      return undefined;
  }
}
