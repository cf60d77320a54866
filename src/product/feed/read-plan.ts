/** Plans how the records of a poll are read: in which order, and how many of them fit into one response. */
import { familyOf } from '../../model/feed/feed.ts';
import type { FeedName } from '../../model/product-catalogue.ts';
import type { Offset } from '../../store/stream-store.ts';
import { lastLineOf, timestampOf } from './feed-lines.ts';
import { highestFirst } from './highest-first.ts';
import { scanNewestFirst } from './scan-newest-first.ts';
import { type RecordScan, type ScanEnd, scanRecords } from './scan-records.ts';

export interface ReadPlan {
  /** False where more records are left than one response may have. */
  readonly complete: boolean;
  /** Where more are left, and the records are in feed order: the time of the last of them, from which the rest can be requested. */
  readonly lastTimestamp?: string;
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
  /** A session reads everything once, in feed order; only address feeds are sorted even so, and skip the rest. */
  readonly hasSession: boolean;
}

type Order = 'feed' | 'newest' | 'highest';

/** The member by which `top` sorts, and the order of records where it is the same. */
const sortings = {
  risk: { member: 'overall_risk', ties: 'newest-first' },
  ip: { member: 'all_threats_combined_percent', ties: 'in-order' },
} as const;

interface Bound {
  readonly end: Offset;
  readonly lastTimestamp: string;
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
  const { topMax, recordsMax, linesMax, hasSession } = limits;
  const order = orderOf(feed, limits);
  if (topMax !== undefined && topMax <= recordsMax) {
    return { complete: true, run: () => records(feed, order, { ...scan, recordsMax: topMax }) };
  }
  const bound = linesMax <= recordsMax ? undefined : await findBound(scan, recordsMax);
  if (!bound) return { complete: true, run: () => records(feed, order, scan) };
  if (order !== 'feed' && !hasSession) {
    return { complete: false, run: () => records(feed, order, { ...scan, recordsMax }) };
  }
  const bounded = { ...scan, readRange: { ...scan.readRange, to: bound.end } };
  const { lastTimestamp } = bound;
  return { complete: false, lastTimestamp, run: () => records(feed, order, bounded) };
}

function orderOf(feed: FeedName, { topMax, hasSession }: ReadLimits): Order {
  const family = familyOf(feed);
  if (topMax === undefined || (hasSession && family !== 'ip')) return 'feed';
  return family === 'ip' || family === 'risk' ? 'highest' : 'newest';
}

/** Where more follow than fit: the offset behind the last record that does. Needed before the first record is sent, for the status code. */
async function findBound(scan: RecordScan, recordsMax: number): Promise<Bound | undefined> {
  const { end, full, lastTimestamp } = await drain(scanRecords({ ...scan, recordsMax }));
  if (!full) return undefined;
  const rest = { ...scan, readRange: { ...scan.readRange, from: end }, recordsMax: 1 };
  return (await drain(scanRecords(rest))).full ? { end, lastTimestamp } : undefined;
}

async function drain(
  scan: AsyncGenerator<Uint8Array, ScanEnd, undefined>,
): Promise<ScanEnd & { readonly lastTimestamp: string }> {
  let lastTimestamp = '';
  for (;;) {
    const step = await scan.next();
    if (step.done) return { ...step.value, lastTimestamp };
    lastTimestamp = timestampOf(lastLineOf(step.value));
  }
}

async function* records(
  feed: FeedName,
  order: Order,
  scan: RecordScan,
): AsyncGenerator<Uint8Array, Offset, undefined> {
  if (order === 'feed') return (yield* scanRecords(scan)).end;
  const { recordsMax = Number.POSITIVE_INFINITY, ...whole } = scan;
  const sorting = familyOf(feed) === 'ip' ? sortings.ip : sortings.risk;
  yield* order === 'newest' ? scanNewestFirst(scan) : highestFirst({ scan: whole, ...sorting, recordsMax });
  return scan.readRange.to;
}
