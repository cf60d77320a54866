/**
 * Pages of a list that changes while it is read. The first page takes a result snapshot: later pages of the same query show the same
 * rows in the same order, with their present content, and the total as it was counted. Without a snapshot, or when it has expired, a
 * later page takes one.
 */
export interface ListPaging {
  /** Users of an account page separately; one who has not begun a query continues that of a colleague. */
  readonly username: string;
  /** Identifies everything that the list depends on except the page. */
  readonly query: string;
  readonly isFirstPage: boolean;
  /** Rows that pages can reach. */
  readonly rowsMax: number;
  readonly nowMs: number;
}
