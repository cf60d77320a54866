/**
 * A bucket sort in bounded memory: the records with the highest share of threats first. Shares are whole percents, so a first pass
 * counts the bytes of each, and every further pass collects as many of the next percents as fit in memory.
 */
import { TimeSlice } from '../../concurrency/time-slice.ts';
import { linesOf, recordOf } from './feed-lines.ts';
import { type RecordScan, scanRecords } from './scan-records.ts';

const shareMember = 'all_threats_combined_percent';
const shares = 101;
const collectedBytesMax = 4_194_304;
const linesPerCheck = 32;
const linesPerBatch = 100;

interface SharedLine {
  readonly line: Buffer;
  readonly share: number;
}

/** Records of one share keep their order. */
export async function* highestFirst(
  scan: RecordScan,
  recordsMax: number,
  bytesMax = collectedBytesMax,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bytesOf = await bytesByShare(scan);
  let left = recordsMax;
  for (let high = shares - 1; high >= 0 && left > 0; ) {
    let low = high;
    let bytes = bytesOf[high] as number;
    while (low > 0 && bytes + (bytesOf[low - 1] as number) <= bytesMax) {
      low -= 1;
      bytes += bytesOf[low] as number;
    }
    const batches = bytes > bytesMax ? scanShare(scan, high) : collect(scan, low, high);
    if (bytes > 0) {
      for await (const lines of batches) {
        const wanted = lines.slice(0, left);
        left -= wanted.length;
        yield Buffer.concat(wanted);
        if (left === 0) break;
      }
    }
    high = low - 1;
  }
}

async function bytesByShare(scan: RecordScan): Promise<readonly number[]> {
  const bytes = new Array<number>(shares).fill(0);
  for await (const lines of scanShared(scan)) {
    for (const { line, share } of lines) bytes[share] = (bytes[share] as number) + line.length;
  }
  return bytes;
}

/** A single share may be more than fits in memory; its lines are in order already. */
async function* scanShare(
  scan: RecordScan,
  wanted: number,
): AsyncGenerator<readonly Buffer[], void, undefined> {
  for await (const lines of scanShared(scan)) {
    const found = lines.filter(({ share }) => share === wanted).map(({ line }) => line);
    if (found.length > 0) yield found;
  }
}

async function* collect(
  scan: RecordScan,
  low: number,
  high: number,
): AsyncGenerator<readonly Buffer[], void, undefined> {
  const found: Buffer[][] = Array.from({ length: high - low + 1 }, () => []);
  for await (const lines of scanShared(scan)) {
    for (const { line, share } of lines) {
      // The buffer of a slice is reused for the next one.
      if (share >= low && share <= high) found[high - share]?.push(Buffer.from(line));
    }
  }
  for (const lines of found) {
    for (let at = 0; at < lines.length; at += linesPerBatch) yield lines.slice(at, at + linesPerBatch);
  }
}

async function* scanShared(scan: RecordScan): AsyncGenerator<readonly SharedLine[], void, undefined> {
  const timeSlice = new TimeSlice();
  for await (const slice of scanRecords(scan)) {
    const lines: SharedLine[] = [];
    for (const line of linesOf(slice)) {
      lines.push({ line, share: shareOf(line) });
      if (lines.length % linesPerCheck === 0) await timeSlice.yieldIfOver();
    }
    yield lines;
  }
}

function shareOf(line: Buffer): number {
  const value = Number(recordOf(line)[shareMember]);
  return Number.isNaN(value) ? 0 : Math.min(shares - 1, Math.max(0, Math.floor(value)));
}
