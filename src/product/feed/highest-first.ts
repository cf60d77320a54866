/**
 * A bucket sort in bounded memory: the records with the highest score or share of threats first. Both are whole numbers up to 100, so a
 * first pass counts the bytes of each, and every further pass collects as many of the next numbers as fit in memory.
 */
import { TimeSlice } from '../../concurrency/time-slice.ts';
import { scanNewestFirst } from './scan-newest-first.ts';
import { type RecordScan, scanRecords } from './scan-records.ts';

export interface HighestFirst {
  readonly scan: RecordScan;
  /** The member by which records are sorted, a number from 0 to 100. */
  readonly member: string;
  /** Records with the same number: the latest first, or as they are. */
  readonly ties: 'newest-first' | 'in-order';
  readonly recordsMax: number;
  readonly bytesMax?: number;
}

type Source = Pick<HighestFirst, 'scan' | 'member' | 'ties'>;

interface ScoredSlice {
  readonly bytes: Buffer;
  /** Where each line ends, and its score. */
  readonly ends: readonly number[];
  readonly scores: readonly number[];
}

const scoreMax = 100;
const collectedBytesMax = 4_194_304;
const linesPerCheck = 256;
const linesPerBatch = 100;
const scoreDigits = 4;

export async function* highestFirst(sorting: HighestFirst): AsyncGenerator<Uint8Array, void, undefined> {
  const { recordsMax, bytesMax = collectedBytesMax } = sorting;
  const bytesOf = await bytesByScore(sorting);
  let left = recordsMax;
  for (let high = scoreMax; high >= 0 && left > 0; ) {
    let low = high;
    let bytes = bytesOf[high] as number;
    while (low > 0 && bytes + (bytesOf[low - 1] as number) <= bytesMax) {
      low -= 1;
      bytes += bytesOf[low] as number;
    }
    const batches = bytes > bytesMax ? scanScore(sorting, high) : collect(sorting, low, high);
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

async function bytesByScore({ scan, member }: Source): Promise<readonly number[]> {
  const bytes = new Array<number>(scoreMax + 1).fill(0);
  for await (const { ends, scores } of scored(scanRecords(scan), member)) {
    let start = 0;
    for (let index = 0; index < ends.length; index += 1) {
      const [end, score] = [ends[index] as number, scores[index] as number];
      bytes[score] = (bytes[score] as number) + end - start;
      start = end;
    }
  }
  return bytes;
}

/** The records of a single score may be more than fits in memory; they are read in the order they are wanted in. */
async function* scanScore(
  { scan, member, ties }: Source,
  wanted: number,
): AsyncGenerator<readonly Buffer[], void, undefined> {
  const slices = ties === 'in-order' ? scanRecords(scan) : scanNewestFirst(scan);
  for await (const slice of scored(slices, member)) {
    const found = linesIn(slice, (score) => score === wanted).map(({ line }) => line);
    if (found.length > 0) yield found;
  }
}

async function* collect(
  { scan, member, ties }: Source,
  low: number,
  high: number,
): AsyncGenerator<readonly Buffer[], void, undefined> {
  const found: Buffer[][] = Array.from({ length: high - low + 1 }, () => []);
  for await (const slice of scored(scanRecords(scan), member)) {
    for (const { line, score } of linesIn(slice, (one) => one >= low && one <= high)) {
      // The buffer of a slice is reused for the next one.
      found[high - score]?.push(Buffer.from(line));
    }
  }
  for (const lines of found) {
    if (ties === 'newest-first') lines.reverse();
    for (let at = 0; at < lines.length; at += linesPerBatch) yield lines.slice(at, at + linesPerBatch);
  }
}

function linesIn({ bytes, ends, scores }: ScoredSlice, isWanted: (score: number) => boolean) {
  const lines: { readonly line: Buffer; readonly score: number }[] = [];
  for (let index = 0; index < scores.length; index += 1) {
    const score = scores[index] as number;
    if (isWanted(score)) lines.push({ line: bytes.subarray(ends[index - 1] ?? 0, ends[index]), score });
  }
  return lines;
}

/** Finds the member by its text, many times faster than JSON.parse; every pass reads all records. */
async function* scored(
  slices: AsyncIterable<Uint8Array>,
  member: string,
): AsyncGenerator<ScoredSlice, void, undefined> {
  const key = `"${member}":`;
  const timeSlice = new TimeSlice();
  for await (const slice of slices) {
    const bytes = Buffer.from(slice.buffer, slice.byteOffset, slice.byteLength);
    // One character a byte.
    const text = bytes.toString('latin1');
    const [ends, scores]: [number[], number[]] = [[], []];
    let keyAt = text.indexOf(key);
    for (let start = 0; start < text.length; ) {
      const end = text.indexOf('\n', start) + 1 || text.length;
      if (keyAt >= 0 && keyAt < start) keyAt = text.indexOf(key, start);
      const isInLine = keyAt >= 0 && keyAt < end;
      ends.push(end);
      scores.push(isInLine ? scoreAt(text, keyAt + key.length) : 0);
      start = end;
      if (ends.length % linesPerCheck === 0) await timeSlice.yieldIfOver();
    }
    yield { bytes, ends, scores };
  }
}

/** The whole number that begins there; 0 where none does. */
function scoreAt(text: string, from: number): number {
  const score = Number.parseInt(text.slice(from, from + scoreDigits), 10);
  return Number.isNaN(score) ? 0 : Math.min(scoreMax, Math.max(0, score));
}
