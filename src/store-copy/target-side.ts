/** What a copy is written to. */
import type { StreamStart } from '../store/copy/copied-streams.ts';
import type { CopyProgress } from '../store/copy/store-copier.ts';
import type { CopiedDatabase } from '../store/embedded/copy/copied-databases.ts';
import type { StreamName } from '../store/stream-store.ts';
import type { OpenStores, ReaderSide } from './reader-side.ts';
import type { TablePlan } from './table-plan.ts';

export type OnProgress = (progress: CopyProgress) => void;

export interface TargetSide {
  /** All tables of a database of the embedded stores, unless they are done. Returns how many rows were written. */
  putTables(
    database: CopiedDatabase,
    plans: readonly TablePlan[],
    source: ReaderSide,
    onProgress: OnProgress,
  ): Promise<number>;

  /** For what is not in tables; once all tables are there. */
  open(): OpenStores;
  beginStream(stream: StreamName, start: StreamStart): Promise<void>;
  /** Now and then, while lines are appended. */
  settleStreams(): Promise<void>;
  /** From now on servers may start. */
  complete(): Promise<void>;
  close(): Promise<void>;
}

/** Calls back with the number of rows so far. */
export async function* counted<Row>(
  pages: AsyncIterable<readonly Row[]>,
  onRows: (rows: number) => void,
): AsyncGenerator<readonly Row[]> {
  let rows = 0;
  for await (const page of pages) {
    yield page;
    rows += page.length;
    onRows(rows);
  }
}
