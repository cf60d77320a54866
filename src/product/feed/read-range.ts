/**
 * From a time range to offsets. A stream knows the minute of its lines, a record its second: the minutes at both ends of the range are
 * checked line by line, and every line between them belongs to it.
 */
import { minuteSeconds } from '../../model/durations.ts';
import { secondText } from '../../model/feed/second.ts';
import { scanLines } from '../../store/stream/scan-lines.ts';
import type { Offset, OpenRange, StreamName, StreamStore } from '../../store/stream-store.ts';
import { linesOf, timestampOf } from './feed-lines.ts';

/** Both are inclusive. */
export interface TimeRange {
  readonly afterSeconds: number;
  readonly beforeSeconds?: number | undefined;
  /** The offset to resume from, whatever the time. */
  readonly offset?: Offset | undefined;
}

export interface ReadRange {
  readonly from: Offset;
  readonly to: Offset;
  /** Lines before this offset may be too old. */
  readonly checkedTo: Offset;
  readonly oldest: string;
  /** Lines from this offset on may be too new. */
  readonly checkedFrom: Offset;
  readonly newest: string;
}

/** A record is appended a moment after its timestamp, possibly in the next minute. */
const lateMinutes = 2;

/** Ends at the current end of the stream. */
export async function findReadRange(
  streams: Pick<StreamStore, 'findState' | 'offsetAt'>,
  stream: StreamName,
  { afterSeconds, beforeSeconds, offset }: TimeRange,
): Promise<ReadRange> {
  const end = (await streams.findState(stream))?.end ?? 0;
  const at = async (minute: number) => Math.min(end, await streams.offsetAt(stream, minute));
  const firstMinute = Math.floor(afterSeconds / minuteSeconds);
  const from = Math.max(Math.min(offset ?? 0, end), await at(firstMinute));
  const head = { checkedTo: await at(firstMinute + 1 + lateMinutes), oldest: secondText(afterSeconds) };
  if (beforeSeconds === undefined) return { from, to: end, ...head, checkedFrom: end, newest: '' };
  const lastMinute = Math.floor(beforeSeconds / minuteSeconds);
  const to = Math.max(from, await at(lastMinute + 1 + lateMinutes));
  return { from, to, ...head, checkedFrom: await at(lastMinute), newest: secondText(beforeSeconds) };
}

/** The offset of the first line that is too new, where a session stops, so that its next poll returns that line. */
export async function findTooNew(range: OpenRange, readRange: ReadRange): Promise<Offset> {
  const { checkedFrom, newest, to } = readRange;
  for await (const { bytes, end } of scanLines(range, { from: checkedFrom, to })) {
    let offset = end - bytes.length;
    for (const line of linesOf(bytes)) {
      if (timestampOf(line) > newest) return offset;
      offset += line.length;
    }
  }
  return to;
}
