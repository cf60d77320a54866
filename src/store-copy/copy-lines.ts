/**
 * Copies streams through their stores: lines are appended minute by minute, so every line keeps its offset. A copy that was interrupted resumes at
 * the end of the target.
 */
import { minuteMs } from '../model/durations.ts';
import type { StreamMinute } from '../store/copy/copied-streams.ts';
import type { Offset, StreamName, StreamStore } from '../store/stream-store.ts';
import type { ReaderSide } from './reader-side.ts';
import type { OnProgress, TargetSide } from './target-side.ts';

const minutesPerPage = 1000;
/** Of one append, unless a single line is longer. */
const appendBytes = 1 << 20;
/** Between two calls of `settleStreams`. */
const settleBytes = 64 << 20;
const newline = 10;

/** Returns how many bytes were appended. */
export async function copyLines(
  source: ReaderSide,
  target: TargetSide,
  onProgress: OnProgress,
): Promise<number> {
  const { streams } = target.open();
  let [bytes, settledAt] = [0, 0];
  const onBytes = async (stream: StreamName, more: number) => {
    bytes += more;
    onProgress({ part: `stream ${stream}`, done: bytes, unit: 'bytes' });
    if (bytes - settledAt < settleBytes) return;
    settledAt = bytes;
    await target.settleStreams();
  };
  for (const stream of await source.streams.listStreams()) {
    await target.beginStream(stream, await source.streamStart(stream));
    await copyStream(stream, source, streams, (more) => onBytes(stream, more));
  }
  await target.settleStreams();
  return bytes;
}

async function copyStream(
  stream: StreamName,
  source: ReaderSide,
  target: StreamStore,
  onBytes: (bytes: number) => Promise<void>,
): Promise<void> {
  let end = (await target.findState(stream))?.end ?? 0;
  for (let after = -1; ; ) {
    const minutes = await source.listMinutes(stream, after, minutesPerPage);
    for (const minute of minutes) {
      if (minute.to <= end) continue;
      for await (const lines of linesOf(source.streams, stream, {
        ...minute,
        from: Math.max(minute.from, end),
      })) {
        await target.append([{ stream, bytes: lines }], minute.minute * minuteMs);
        await onBytes(lines.length);
      }
      end = await assertEnd(target, stream, minute.to);
    }
    const last = minutes.at(-1);
    if (!last || minutes.length < minutesPerPage) return;
    after = last.minute;
  }
}

/** A hole would move all lines behind it. */
async function assertEnd(target: StreamStore, stream: StreamName, expected: Offset): Promise<Offset> {
  const end = (await target.findState(stream))?.end;
  if (end === expected) return end;
  throw new Error(
    `the copy of stream ${stream} ends at ${end} instead of ${expected}; begin with an empty target`,
  );
}

/** Whole lines, some at a time. */
async function* linesOf(
  streams: StreamStore,
  stream: StreamName,
  { from, to }: StreamMinute,
): AsyncGenerator<Buffer> {
  const range = await streams.openRange(stream, from, to);
  if (!range) return;
  try {
    let held: Buffer[] = [];
    let size = 0;
    for await (const chunk of range.read()) {
      held.push(Buffer.from(chunk));
      size += chunk.length;
      const end = size < appendBytes ? -1 : chunk.lastIndexOf(newline);
      if (end < 0) continue;
      const bytes = Buffer.concat(held);
      const whole = size - chunk.length + end + 1;
      yield bytes.subarray(0, whole);
      held = [bytes.subarray(whole)];
      size -= whole;
    }
    if (size > 0) yield Buffer.concat(held);
  } finally {
    await range.close();
  }
}
