/** Writes the tables of a new segment in worker threads, from a batch or from older segments. Listing the segment is left to the store. */
import type { WorkerClient } from '../../concurrency/worker-client.ts';
import type { ObservationBatch } from './observation-batch.ts';
import type { ListedSegment, SegmentSummary } from './segment/segment-files.ts';
import type { DataTable, WrittenTable } from './segment/table-output.ts';
import type { TableCalls } from './table-calls.ts';

/**
 * `first`, `second` and `third` share the writing of a large batch, a table each: that keeps two processors busy although no table takes as
 * long as another; `compactor` works in the background, so that writes never wait for it, and
 * `verifier` reads everything when asked to. A thread that dies fails its own calls only, and the next call starts it again.
 */
export type ThreadName = 'first' | 'second' | 'third' | 'compactor' | 'verifier';
export type TableThreads = WorkerClient<TableCalls, ThreadName>;

/** One thread writes this much sooner than others start. */
const oneThreadBytes = 1 << 20;

type Tables<Table> = readonly [forward: Table, inverse: Table, distinct: Table];

/** The threads that share the work on so many bytes, by table. */
export type ThreadsFor = (bytes: number) => Tables<ThreadName>;

export const writingThreads: ThreadsFor = (bytes) =>
  isSmall(bytes) ? ['first', 'first', 'first'] : ['first', 'second', 'third'];

export function isSmall(bytes: number): boolean {
  return bytes < oneThreadBytes;
}

export const backgroundThread: ThreadsFor = () => ['compactor', 'compactor', 'compactor'];

export class SegmentWriter {
  readonly #threads: TableThreads;
  readonly #spareMemory: SharedArrayBuffer[] = [];

  constructor(threads: TableThreads) {
    this.#threads = threads;
  }

  async writeBatch(name: string, batch: ObservationBatch): Promise<SegmentSummary> {
    const memory = this.#sharedCopy(batch.contents());
    const tables = await writeTables(writingThreads(batch.bytes), (thread, table) =>
      this.#threads.run(thread, 'writeTable', memory, name, table),
    );
    this.#spareMemory.push(memory.buffer);
    return summaryOf(name, tables);
  }

  async compact(
    name: string,
    sources: readonly ListedSegment[],
    nowMs: number,
    threadsFor: ThreadsFor,
  ): Promise<SegmentSummary> {
    const compaction = {
      sources: sources.map(({ name: source, checksums }) => ({ name: source, checksums })),
      segment: name,
      nowSeconds: Math.floor(nowMs / 1000),
    };
    const tables = await writeTables(threadsFor(bytesOf(sources)), (thread, table) =>
      this.#threads.run(thread, 'compactTables', { ...compaction, table }),
    );
    return summaryOf(name, tables);
  }

  /**
   * All threads read the batch in shared memory. Such memory is freed only after a garbage collection in every thread, so
   * it is reused from batch to batch.
   */
  #sharedCopy(bytes: Uint8Array): Uint8Array<SharedArrayBuffer> {
    const spare = this.#spareMemory.pop();
    const memory =
      spare && spare.byteLength >= bytes.length
        ? spare
        : new SharedArrayBuffer(bytes.length + (bytes.length >>> 3));
    const copy = new Uint8Array(memory, 0, bytes.length);
    copy.set(bytes);
    return copy;
  }
}

/** Like `Promise.all`, but a failure waits for the others too, so that no thread writes a file after its removal. */
async function writeTables(
  [first, second, third]: Tables<ThreadName>,
  write: (thread: ThreadName, table: DataTable) => Promise<WrittenTable>,
): Promise<Tables<WrittenTable>> {
  const tables = [write(first, 'forward'), write(second, 'inverse'), write(third, 'distinct')] as const;
  await Promise.allSettled(tables);
  return Promise.all(tables);
}

function summaryOf(name: string, [forward, inverse, distinct]: Tables<WrittenTable>): SegmentSummary {
  const tables = [forward, inverse, distinct, ...(distinct.trigram ? [distinct.trigram] : [])];
  return {
    name,
    rrsets: forward.entries,
    bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
    minFirst: forward.minFirst,
    maxLast: forward.maxLast,
    hasTrigrams: distinct.trigram !== undefined,
    checksums: tables.map(({ checksum }) => checksum),
  };
}

export function bytesOf(segments: readonly ListedSegment[]): number {
  return segments.reduce((sum, { bytes }) => sum + bytes, 0);
}
