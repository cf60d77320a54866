/** Scans a range of a feed from its end: the latest records first, block by block, so that the first ones come at once. */
import { TimeSlice } from '../../concurrency/time-slice.ts';
import type { OpenRange } from '../../store/stream-store.ts';
import { lineFilter, type RecordScan } from './scan-records.ts';

/** Small, because a client that reads slowly holds a block and a slice all the time. */
const blockBytes = 131_072;
const sliceBytes = 65_536;
const linesPerCheck = 64;
const newline = 10;

/** Slices of whole lines, each slice and all of them in descending order; a slice is valid until the next one is requested. */
export async function* scanNewestFirst(
  scan: RecordScan,
  usualBytes = blockBytes,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { range, readRange, filter, signal, recordsMax = Number.POSITIVE_INFINITY } = scan;
  const { checkedTo, checkedFrom } = readRange;
  const passes = lineFilter(readRange, filter);
  const timeSlice = new TimeSlice();
  const from = Math.max(readRange.from, range.from);
  let end = Math.min(readRange.to, range.to);
  let bytesMax = usualBytes;
  let left = recordsMax;
  while (end > from && left > 0) {
    signal.throwIfAborted();
    const start = Math.max(from, end - bytesMax);
    const block = await readBlock(range, start, end);
    // The line that the block begins with may begin before it.
    const head = start === from ? 0 : block.indexOf(newline) + 1;
    if (head === block.length) {
      bytesMax *= 2;
      continue;
    }
    let found = Buffer.allocUnsafe(Math.min(block.length - head, sliceBytes));
    let length = 0;
    let checked = 0;
    for (let lineEnd = block.length; lineEnd > head && left > 0; ) {
      const lineStart = Math.max(head, block.lastIndexOf(newline, lineEnd - 2) + 1);
      const offset = start + lineStart;
      const isWanted = filter === undefined && offset >= checkedTo && offset < checkedFrom;
      if (isWanted || passes(block.subarray(lineStart, lineEnd), offset)) {
        if (length > 0 && length + lineEnd - lineStart > found.length) {
          yield found.subarray(0, length);
          length = 0;
        }
        if (lineEnd - lineStart > found.length) found = Buffer.allocUnsafe(lineEnd - lineStart);
        length += block.copy(found, length, lineStart, lineEnd);
        left -= 1;
      }
      lineEnd = lineStart;
      checked += 1;
      if (checked % linesPerCheck === 0) await timeSlice.yieldIfOver();
    }
    if (length > 0) yield found.subarray(0, length);
    end = start + head;
    bytesMax = usualBytes;
    await timeSlice.yieldIfOver();
  }
}

async function readBlock(range: OpenRange, from: number, to: number): Promise<Buffer> {
  const block = Buffer.allocUnsafe(to - from);
  let length = 0;
  for await (const chunk of range.read(from, to)) {
    block.set(chunk, length);
    length += chunk.length;
  }
  return block.subarray(0, length);
}
