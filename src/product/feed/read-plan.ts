/** Plans how the records of a poll are read: in feed order or sorted, and how many of them fit into one response. */
import { familyOf } from '../../model/feed/feed.ts';
import type { FeedName } from '../../model/product-catalogue.ts';
import type { Offset } from '../../store/stream-store.ts';
import { highestFirst } from './highest-first.ts';
import { type RecordScan, type ScanEnd, scanRecords } from './scan-records.ts';

export interface ReadPlan {
  /** False where more records are left than one response may have. */
  readonly complete: boolean;
  /** Yields the records and returns the offset up to which they are complete. */
  run(): AsyncGenerator<Uint8Array, Offset, undefined>;
}

export interface ReadLimits {
  /** As many as the client asked for. */
  readonly topMax: number | undefined;
  /** As many as one response may have. */
  readonly recordsMax: number;
  /** An upper bound of the lines to read. */
  readonly linesMax: number;
}

export function emptyReadPlan(end: Offset): ReadPlan {
  return {
    complete: true,
    async *run() {
      yield* [];
      return end;
    },
  };
}

export async function planRead(feed: FeedName, scan: RecordScan, limits: ReadLimits): Promise<ReadPlan> {
  const { topMax, recordsMax, linesMax } = limits;
  const sorted = topMax !== undefined && familyOf(feed) === 'ip';
  if (topMax !== undefined && topMax <= recordsMax) {
    return { complete: true, run: () => (sorted ? highest(scan, topMax) : inOrder(scan, topMax)) };
  }
  const end = linesMax <= recordsMax ? undefined : await findBound(scan, recordsMax);
  const bounded = end === undefined ? scan : { ...scan, readRange: { ...scan.readRange, to: end } };
  const run = () => (sorted ? highest(bounded, recordsMax) : inOrder(bounded));
  return { complete: end === undefined, run };
}

/** The offset behind the last record that fits, where more follow. Needed before the first record is sent, for the status code. */
async function findBound(scan: RecordScan, recordsMax: number): Promise<Offset | undefined> {
  const { end, full } = await drain(scanRecords({ ...scan, recordsMax }));
  if (!full) return undefined;
  const rest = { ...scan, readRange: { ...scan.readRange, from: end }, recordsMax: 1 };
  return (await drain(scanRecords(rest))).full ? end : undefined;
}

async function drain(scan: AsyncGenerator<Uint8Array, ScanEnd, undefined>): Promise<ScanEnd> {
  for (;;) {
    const step = await scan.next();
    if (step.done) return step.value;
  }
}

async function* inOrder(
  scan: RecordScan,
  recordsMax?: number,
): AsyncGenerator<Uint8Array, Offset, undefined> {
  const { end } = yield* scanRecords({ ...scan, recordsMax });
  return end;
}

async function* highest(scan: RecordScan, recordsMax: number): AsyncGenerator<Uint8Array, Offset, undefined> {
  yield* highestFirst(scan, recordsMax);
  return scan.readRange.to;
}
