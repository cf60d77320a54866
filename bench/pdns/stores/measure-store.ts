/** What operations on one store take: each by itself, and the CPU time of this process and of the servers that it started. */
import type { Row, RrsetStore, Scan, Slices, TextRow } from '../../../src/store/rrset-store.ts';
import { cpuSecondsOf } from '../../harness/process-tree.ts';
import { ownUsage } from '../../harness/usage.ts';

export interface Measured {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of each operation, with servers. */
  readonly cpuMs: number;
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
  /** In all, so that stores can be compared. */
  readonly rows: number;
}

export type Operation = (store: RrsetStore) => Promise<number>;

/** One after another. */
export async function measureOperations(
  store: RrsetStore,
  operations: readonly Operation[],
): Promise<Measured> {
  const times: number[] = [];
  const before = cpuSecondsOf(process.pid);
  const used = await ownUsage(async () => {
    let rows = 0;
    for (const operation of operations) {
      const beganMs = performance.now();
      rows += await operation(store);
      times.push(performance.now() - beganMs);
    }
    return rows;
  });
  const cpuSeconds = Math.max(used.cpuSeconds, cpuSecondsOf(process.pid) - before);
  times.sort((left, right) => left - right);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  return {
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpuMs: (cpuSeconds / operations.length) * 1000,
    cpuSeconds,
    memoryBytes: used.memoryBytes,
    rows: used.value,
  };
}

/** How many rows it read: at most so many. */
export async function readRows(slices: Slices<Row> | Slices<TextRow>, limit: number): Promise<number> {
  const known = slices.readAllSync?.();
  if (known) return Math.min(known.length, limit);
  let rows = 0;
  for await (const slice of slices as AsyncIterable<readonly unknown[]>) {
    rows += slice.length;
    if (rows >= limit) break;
  }
  return Math.min(rows, limit);
}

/** As the API asks for a page. */
export const readPage =
  (scan: Pick<Scan, 'selection' | 'skip'>, limit: number): Operation =>
  (store) =>
    readRows(
      store.scan({
        ...scan,
        filter: { types: 'any', fences: {} },
        merged: true,
        nowSeconds: Math.floor(Date.now() / 1000),
        wanted: limit,
      }),
      limit,
    );
