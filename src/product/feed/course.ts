/** How the records of an answer are brought: in the order of the feed or sorted, and how many of them fit in one answer. */
import { familyOf } from '../../model/feed.ts';
import type { FeedName } from '../../model/product-catalogue.ts';
import type { Offset } from '../../store/stream-store.ts';
import { highestFirst } from './highest-first.ts';
import { type RecordScan, type ScanEnd, scanRecords } from './scan-records.ts';

export interface Course {
  /** False where more records are left than one answer may carry. */
  readonly complete: boolean;
  /** Brings the records; in the end it gives the place up to which they are all there is. */
  run(): AsyncGenerator<Uint8Array, Offset, undefined>;
}

export interface Bounds {
  /** As many as the client wants. */
  readonly topMax: number | undefined;
  /** As many as an answer may carry. */
  readonly recordsMax: number;
  /** At least as many as there are lines to look at. */
  readonly linesMax: number;
}

export function emptyCourse(end: Offset): Course {
  return {
    complete: true,
    async *run() {
      yield* [];
      return end;
    },
  };
}

export async function planCourse(feed: FeedName, scan: RecordScan, bounds: Bounds): Promise<Course> {
  const { topMax, recordsMax, linesMax } = bounds;
  const sorted = topMax !== undefined && familyOf(feed) === 'ip';
  if (topMax !== undefined && topMax <= recordsMax) {
    return { complete: true, run: () => (sorted ? highest(scan, topMax) : inOrder(scan, topMax)) };
  }
  const end = linesMax <= recordsMax ? undefined : await findBound(scan, recordsMax);
  const bounded = end === undefined ? scan : { ...scan, window: { ...scan.window, to: end } };
  const run = () => (sorted ? highest(bounded, recordsMax) : inOrder(bounded));
  return { complete: end === undefined, run };
}

/** The place behind the last record that fits, where more follow it. Their number must be known before the first is sent. */
async function findBound(scan: RecordScan, recordsMax: number): Promise<Offset | undefined> {
  const { end, full } = await passOver(scanRecords({ ...scan, recordsMax }));
  if (!full) return undefined;
  const rest = { ...scan, window: { ...scan.window, from: end }, recordsMax: 1 };
  return (await passOver(scanRecords(rest))).full ? end : undefined;
}

async function passOver(scan: AsyncGenerator<Uint8Array, ScanEnd, undefined>): Promise<ScanEnd> {
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
  return scan.window.to;
}
