/** The live tail of a feed: records as they come, each with the place behind it, from which a client can go on later. */
import { fieldProblem } from '../../model/problem.ts';
import type { FeedName } from '../../model/product-catalogue.ts';
import type { Settings } from '../../model/settings.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { Offset, StreamName, StreamStore } from '../../store/stream-store.ts';
import { type FollowNeeds, followGrowth } from './follow.ts';
import { linesOf, recordOf, timestampOf } from './lines.ts';
import { Pace } from './pace.ts';
import type { Keeps } from './record-filter.ts';
import { findWindow } from './window.ts';

export interface TailQuestion {
  readonly feed: FeedName;
  /** Inclusive; without it and without a place the tail starts with what comes from now on. */
  readonly afterSeconds: number | undefined;
  /** The place behind the last record that the client has. */
  readonly lastPlace: Offset | undefined;
  readonly keeps: Keeps | undefined;
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
  /** Records before this place may be older than `oldest`. */
  readonly checkedTo: Offset;
  readonly oldest: string;
}

const linesBetweenLooks = 32;

/** Throws `invalid-members` for a place that is none. */
export async function findTailStart(
  { feed, afterSeconds, lastPlace }: TailQuestion,
  { streams, settings }: TailNeeds,
  nowMs: number,
): Promise<TailStart> {
  const stream = feedStream(feed);
  const end = (await streams.findState(stream))?.end ?? 0;
  if (lastPlace === undefined && afterSeconds === undefined) return { from: end, checkedTo: 0, oldest: '' };
  if (lastPlace !== undefined && !(await isPlace(streams, stream, Math.min(lastPlace, end)))) {
    throw fieldProblem('invalid-members', 'Last-Event-ID', 'is no id of an event of this feed');
  }
  const oldestSeconds = Math.floor(nowMs / 1000) - settings.feeds.retentionDays * 86_400;
  const start = lastPlace === undefined ? (afterSeconds as number) : oldestSeconds;
  return findWindow(streams, stream, {
    afterSeconds: Math.max(start, oldestSeconds),
    place: lastPlace,
  });
}

/** A client can send any number: one within a line would bring half of it. */
async function isPlace(
  streams: Pick<StreamStore, 'openRange'>,
  stream: StreamName,
  place: Offset,
): Promise<boolean> {
  if (!Number.isSafeInteger(place)) return false;
  const range = place === 0 ? undefined : await streams.openRange(stream, place - 1, place);
  if (!range) return true;
  try {
    for await (const piece of range.read()) return piece[0] === 10;
    return true;
  } finally {
    await range.close();
  }
}

/** Ends with the signal. Nothing for `idleMs` gives an empty list. */
export async function* scanTail(
  { feed, keeps }: TailQuestion,
  start: TailStart,
  needs: TailNeeds,
  signal: AbortSignal,
  idleMs: number,
): AsyncGenerator<readonly TailRecord[], void, undefined> {
  const pace = new Pace();
  for await (const { bytes, end } of followGrowth(needs, feedStream(feed), start.from, signal, idleMs)) {
    const records: TailRecord[] = [];
    let place = end - bytes.length;
    let looked = 0;
    for (const line of linesOf(bytes)) {
      const tooOld = place < start.checkedTo && timestampOf(line) < start.oldest;
      place += line.length;
      if (!tooOld && (keeps === undefined || keeps(recordOf(line)))) {
        records.push({ text: line.toString('utf8', 0, line.length - 1), end: place });
      }
      looked += 1;
      if (looked % linesBetweenLooks === 0) await pace.over();
    }
    yield records;
  }
}
