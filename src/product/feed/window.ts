/**
 * From times to places. A stream knows the minute of its lines, a record its second: within the minutes at both ends of
 * a window lines are looked at one by one, and between them every line belongs to it.
 */
import { secondText } from '../../model/feed/second.ts';
import { scanLines } from '../../store/line-slices.ts';
import type { Offset, OpenRange, StreamName, StreamStore } from '../../store/stream-store.ts';
import { linesOf, timestampOf } from './lines.ts';

/** Both are inclusive. */
export interface Span {
  readonly afterSeconds: number;
  readonly beforeSeconds?: number | undefined;
  /** Where reading goes on, whatever the time. */
  readonly place?: Offset | undefined;
}

export interface Window {
  readonly from: Offset;
  readonly to: Offset;
  /** Lines before this place may be too old. */
  readonly checkedTo: Offset;
  readonly oldest: string;
  /** Lines from this place on may be too new. */
  readonly checkedFrom: Offset;
  readonly newest: string;
}

/** A record is written down a moment after it got its time, and that may be in the next minute. */
const lateMinutes = 2;

/** What there is at this moment; lines that come later are none of it. */
export async function findWindow(
  streams: Pick<StreamStore, 'findState' | 'offsetAt'>,
  stream: StreamName,
  { afterSeconds, beforeSeconds, place }: Span,
): Promise<Window> {
  const end = (await streams.findState(stream))?.end ?? 0;
  const at = async (minute: number) => Math.min(end, await streams.offsetAt(stream, minute));
  const firstMinute = Math.floor(afterSeconds / 60);
  const from = Math.max(Math.min(place ?? 0, end), await at(firstMinute));
  const head = { checkedTo: await at(firstMinute + 1 + lateMinutes), oldest: secondText(afterSeconds) };
  if (beforeSeconds === undefined) return { from, to: end, ...head, checkedFrom: end, newest: '' };
  const lastMinute = Math.floor(beforeSeconds / 60);
  const to = Math.max(from, await at(lastMinute + 1 + lateMinutes));
  return { from, to, ...head, checkedFrom: await at(lastMinute), newest: secondText(beforeSeconds) };
}

/** The place before the first line that is too new. A session stops there, so that it finds that line when it goes on. */
export async function placeOfFirstLate(range: OpenRange, window: Window): Promise<Offset> {
  const { checkedFrom, newest, to } = window;
  for await (const { bytes, end } of scanLines(range, { from: checkedFrom, to })) {
    let place = end - bytes.length;
    for (const line of linesOf(bytes)) {
      if (timestampOf(line) > newest) return place;
      place += line.length;
    }
  }
  return to;
}
