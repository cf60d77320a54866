/** The live tail of a feed: records as they are appended, each with the offset behind it, from which a client can resume. */
import { TimeSlice } from '../../concurrency/time-slice.ts';
import { daySeconds } from '../../model/durations.ts';
import { fieldProblem } from '../../model/problem.ts';
import type { FeedName } from '../../model/product-catalogue.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { Offset, StreamName, StreamStore } from '../../store/stream-store.ts';
import { linesOf, recordOf, timestampOf } from './feed-lines.ts';
import { type FollowNeeds, followGrowth } from './follow-stream.ts';
import { findReadRange } from './read-range.ts';
import type { RecordFilter } from './record-filter.ts';

export interface TailQuery {
  readonly feed: FeedName;
  /** Inclusive; without it and `lastOffset` the tail starts at the current end. */
  readonly afterSeconds: number | undefined;
  /** The offset behind the last record that the client has. */
  readonly lastOffset: Offset | undefined;
  readonly filter: RecordFilter | undefined;
}

export interface TailNeeds extends FollowNeeds {
  readonly streams: FollowNeeds['streams'] & Pick<StreamStore, 'offsetAt'>;
  readonly settings: Pick<Settings, 'feeds'>;
}

export interface TailRecord {
  /** Without its newline. */
  readonly text: string;
  readonly end: Offset;
}

export interface TailStart {
  readonly from: Offset;
  /** Records before this offset may be older than `oldest`. */
  readonly checkedTo: Offset;
  readonly oldest: string;
}

export interface TailOptions {
  readonly start: TailStart;
  readonly signal: AbortSignal;
  readonly idleMs: number;
}

const newline = 10;
const linesPerCheck = 32;

/** Throws `invalid-members` for an offset that is not between two lines. */
export async function findTailStart(
  { feed, afterSeconds, lastOffset }: TailQuery,
  { streams, settings }: TailNeeds,
  nowMs: number,
): Promise<TailStart> {
  const stream = feedStream(feed);
  const end = (await streams.findState(stream))?.end ?? 0;
  if (lastOffset === undefined && afterSeconds === undefined) return { from: end, checkedTo: 0, oldest: '' };
  if (lastOffset !== undefined && !(await isLineStart(streams, stream, Math.min(lastOffset, end)))) {
    throw fieldProblem('invalid-members', 'Last-Event-ID', 'is not the id of an event of this feed');
  }
  const oldestSeconds = Math.floor(nowMs / 1000) - settings.feeds.retentionDays * daySeconds;
  const start = lastOffset === undefined ? (afterSeconds as number) : oldestSeconds;
  return findReadRange(streams, stream, {
    afterSeconds: Math.max(start, oldestSeconds),
    offset: lastOffset,
  });
}

/** A client can send any number, and one within a line would return half of it. */
async function isLineStart(
  streams: Pick<StreamStore, 'openRange'>,
  stream: StreamName,
  offset: Offset,
): Promise<boolean> {
  if (!Number.isSafeInteger(offset)) return false;
  const range = offset === 0 ? undefined : await streams.openRange(stream, offset - 1, offset);
  if (!range) return true;
  try {
    for await (const chunk of range.read()) return chunk[0] === newline;
    return true;
  } finally {
    await range.close();
  }
}

/** Ends with the signal. Yields an empty list whenever no line came for `idleMs`. */
export async function* scanTail(
  { feed, filter }: TailQuery,
  { start, signal, idleMs }: TailOptions,
  needs: TailNeeds,
): AsyncGenerator<readonly TailRecord[], void, undefined> {
  const timeSlice = new TimeSlice();
  const options = { stream: feedStream(feed), from: start.from, signal, idleMs };
  for await (const { bytes, end } of followGrowth(options, needs)) {
    const records: TailRecord[] = [];
    let offset = end - bytes.length;
    let checked = 0;
    for (const line of linesOf(bytes)) {
      const tooOld = offset < start.checkedTo && timestampOf(line) < start.oldest;
      offset += line.length;
      if (!tooOld && (filter === undefined || filter(recordOf(line)))) {
        records.push({ text: line.toString('utf8', 0, line.length - 1), end: offset });
      }
      checked += 1;
      if (checked % linesPerCheck === 0) await timeSlice.yieldIfOver();
    }
    yield records;
  }
}
