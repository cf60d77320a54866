/**
 * Splits a byte stream into lines, in batches: one promise for hundreds of lines. Lines end in LF or CRLF; the last may lack its
 * end. Invalid UTF-8 becomes U+FFFD, which the format readers refuse.
 */

const lf = 10;
const sliceBytesMax = 65_536;
export const lineBytesMax = 1_048_576;

export interface LineBatch {
  /** Number of the first line, counted from 1. */
  readonly firstNumber: number;
  /** `undefined`: a line longer than `lineBytesMax`, which was never held in memory. */
  readonly lines: readonly (string | undefined)[];
}

/** The lines of whole lines, of which the last may lack its end. */
function split(bytes: Buffer): string[] {
  const text = bytes.toString('utf8');
  const lines = (text.includes('\r') ? text.replaceAll('\r\n', '\n') : text).split('\n');
  if (bytes.at(-1) === lf) lines.pop();
  else lines[lines.length - 1] = withoutCarriageReturn(lines.at(-1) ?? '');
  return lines;
}

function withoutCarriageReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** The offset after the line at an offset of whole lines, with its end. */
export function endOfLine(lines: Buffer, at: number): number {
  const end = lines.indexOf(lf, at) + 1;
  return end === 0 ? lines.length : end;
}

/** The line between two offsets, without its end. */
export function lineText(lines: Buffer, at: number, end: number): string {
  return withoutCarriageReturn(lines.toString('utf8', at, lines[end - 1] === lf ? end - 1 : end));
}

/** Slices have at most `sliceBytesMax`, so only a line over several slices can be too long. */
class LineSplitter {
  #open = Buffer.allocUnsafe(4096);
  #openBytes = 0;
  #isTooLong = false;

  /** The lines that end in this slice, with their ends: the first, which began before, and the others. */
  *add(slice: Buffer): Generator<Buffer | undefined, void, undefined> {
    const firstEnd = slice.indexOf(lf) + 1;
    this.#keep(firstEnd > 0 ? slice.subarray(0, firstEnd) : slice);
    if (firstEnd === 0) return;
    yield this.#close();
    const lastEnd = slice.lastIndexOf(lf) + 1;
    if (lastEnd > firstEnd) yield slice.subarray(firstEnd, lastEnd);
    this.#keep(slice.subarray(lastEnd));
  }

  /** The last line, if it has no line end. */
  *rest(): Generator<Buffer | undefined, void, undefined> {
    if (this.#openBytes > 0 || this.#isTooLong) yield this.#close();
  }

  #keep(bytes: Buffer): void {
    const length = this.#openBytes + bytes.length;
    this.#isTooLong ||= length - (bytes.at(-1) === lf ? 1 : 0) > lineBytesMax;
    if (this.#isTooLong) return;
    if (length > this.#open.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#open.length));
      this.#open.copy(larger, 0, 0, this.#openBytes);
      this.#open = larger;
    }
    bytes.copy(this.#open, this.#openBytes);
    this.#openBytes = length;
  }

  #close(): Buffer | undefined {
    const line = this.#isTooLong ? undefined : this.#open.subarray(0, this.#openBytes);
    this.#openBytes = 0;
    this.#isTooLong = false;
    return line;
  }
}

const byteOrderMark = Buffer.from('\uFEFF');

/**
 * The same as bytes: one or more whole lines with their ends, of which the last of all may lack its end, in memory that is used again after the
 * next step. `undefined`: a line longer than `lineBytesMax`.
 */
export async function* readWholeLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer | undefined, void, undefined> {
  const splitter = new LineSplitter();
  let isFirst = true;
  const withoutMark = (lines: Buffer | undefined) => {
    const hasMark = isFirst && lines?.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    isFirst = false;
    return hasMark ? lines?.subarray(byteOrderMark.length) : lines;
  };
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let at = 0; at < bytes.length; at += sliceBytesMax) {
      for (const lines of splitter.add(bytes.subarray(at, at + sliceBytesMax))) yield withoutMark(lines);
    }
  }
  for (const lines of splitter.rest()) yield withoutMark(lines);
}

export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<LineBatch> {
  let firstNumber = 1;
  for await (const bytes of readWholeLines(chunks)) {
    const lines = bytes === undefined ? [undefined] : split(bytes);
    yield { firstNumber, lines };
    firstNumber += lines.length;
  }
}
