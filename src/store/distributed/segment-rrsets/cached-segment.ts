/** A segment of which some tables are open in this process. */
import { Problem } from '../../../model/problem.ts';
import type { OpenSegment } from '../../rrset/open-segment.ts';
import type { TableName } from '../../rrset/segment/segment-files.ts';
import type { TableReader } from '../../rrset/segment/table-reader.ts';
import type { StoredSegment } from './segment-rows.ts';

type Readers = Partial<Record<TableName, TableReader>>;

export class CachedSegment implements OpenSegment {
  readonly summary: StoredSegment;
  readonly #readers: Readers;

  constructor(summary: StoredSegment, readers: Readers = {}) {
    this.summary = summary;
    this.#readers = readers;
  }

  get forward(): TableReader {
    return this.#readers.forward ?? notOpen();
  }

  get inverse(): TableReader {
    return this.#readers.inverse ?? notOpen();
  }

  get distinct(): TableReader {
    return this.#readers.distinct ?? notOpen();
  }

  get trigram(): TableReader | undefined {
    return this.summary.hasTrigrams ? (this.#readers.trigram ?? notOpen()) : undefined;
  }

  isOpen(table: TableName): boolean {
    return this.#readers[table] !== undefined;
  }

  open(table: TableName, reader: TableReader): void {
    this.#readers[table] = reader;
  }

  /** The same segment without a table, which is closed: cursors of scans must not find another reader behind this one. */
  without(table: TableName): CachedSegment {
    const { [table]: closed, ...kept } = this.#readers;
    closed?.close();
    return new CachedSegment(this.summary, kept);
  }

  close(): void {
    for (const reader of Object.values(this.#readers)) reader.close();
  }
}

/** A scan awaits `prepare` first, so this happens only where a table was removed since. */
function notOpen(): never {
  throw new Problem('try-again', 'a part of passive DNS is not on this node any more; try again');
}
