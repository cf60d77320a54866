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

/** `bytes` ends in LF. */
function split(bytes: Buffer): string[] {
  const text = bytes.toString('utf8');
  const lines = (text.includes('\r') ? text.replaceAll('\r\n', '\n') : text).split('\n');
  lines.pop();
  return lines;
}

/** Slices have at most `sliceBytesMax`, so only a line over several slices can be too long. */
class LineSplitter {
  #open = Buffer.allocUnsafe(4096);
  #openBytes = 0;
  #isTooLong = false;

  /** The lines that end in this slice. */
  add(slice: Buffer): (string | undefined)[] {
    const firstEnd = slice.indexOf(lf);
    if (firstEnd < 0) {
      this.#keep(slice);
      return [];
    }
    this.#keep(slice.subarray(0, firstEnd));
    const first = this.#close();
    const lastEnd = slice.lastIndexOf(lf);
    this.#keep(slice.subarray(lastEnd + 1));
    return lastEnd === firstEnd ? [first] : [first, ...split(slice.subarray(firstEnd + 1, lastEnd + 1))];
  }

  /** The last line, if it has no line end. */
  rest(): (string | undefined)[] {
    return this.#openBytes === 0 && !this.#isTooLong ? [] : [this.#close()];
  }

  #keep(bytes: Buffer): void {
    const length = this.#openBytes + bytes.length;
    this.#isTooLong ||= length > lineBytesMax;
    if (this.#isTooLong) return;
    if (length > this.#open.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#open.length));
      this.#open.copy(larger, 0, 0, this.#openBytes);
      this.#open = larger;
    }
    bytes.copy(this.#open, this.#openBytes);
    this.#openBytes = length;
  }

  #close(): string | undefined {
    const text = this.#isTooLong ? undefined : this.#open.toString('utf8', 0, this.#openBytes);
    this.#openBytes = 0;
    this.#isTooLong = false;
    return text?.endsWith('\r') ? text.slice(0, -1) : text;
  }
}

function withoutByteOrderMark([first, ...others]: readonly (string | undefined)[]): (string | undefined)[] {
  return [first?.startsWith('\uFEFF') ? first.slice(1) : first, ...others];
}

export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<LineBatch> {
  const splitter = new LineSplitter();
  let firstNumber = 1;
  const batch = (lines: readonly (string | undefined)[]): LineBatch => {
    const number = firstNumber;
    firstNumber += lines.length;
    return { firstNumber: number, lines: number === 1 ? withoutByteOrderMark(lines) : lines };
  };
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let at = 0; at < bytes.length; at += sliceBytesMax) {
      const lines = splitter.add(bytes.subarray(at, at + sliceBytesMax));
      if (lines.length > 0) yield batch(lines);
    }
  }
  const lines = splitter.rest();
  if (lines.length > 0) yield batch(lines);
}
