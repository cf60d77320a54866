/** Reads a range of a stream in slices of whole lines. */
import type { Offset, OpenRange } from '../stream-store.ts';

export interface LineSlice {
  /** Whole lines, valid until the next slice is requested. */
  readonly bytes: Uint8Array;
  /** The offset behind them. */
  readonly end: Offset;
}

export interface LineSlicesOptions {
  /** A slice is no longer than this, unless a single line is. */
  readonly bytesMax?: number;
  readonly from?: Offset;
  readonly to?: Offset;
}

const newline = 10;

/** Copies only lines that span two chunks. An unfinished last line is left out. */
export async function* scanLines(
  range: Pick<OpenRange, 'from' | 'to' | 'read'>,
  { bytesMax = 65_536, from = range.from, to = range.to }: LineSlicesOptions = {},
): AsyncGenerator<LineSlice, void, undefined> {
  let end = Math.max(from, range.from);
  let unfinished: Uint8Array[] = [];
  for await (const chunk of range.read(from, to)) {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (unfinished.length > 0) {
      const lineEnd = rest.indexOf(newline) + 1;
      if (lineEnd > 0) {
        const bytes = Buffer.concat([...unfinished, rest.subarray(0, lineEnd)]);
        unfinished = [];
        end += bytes.length;
        yield { bytes, end };
        rest = rest.subarray(lineEnd);
      }
    }
    while (rest.length > 0) {
      const cut = unfinished.length > 0 ? 0 : cutOf(rest, bytesMax);
      if (cut === 0) {
        unfinished.push(Uint8Array.from(rest));
        break;
      }
      end += cut;
      yield { bytes: rest.subarray(0, cut), end };
      rest = rest.subarray(cut);
    }
  }
}

/** The end of the last line that fits, or of the first where none does; 0 where no line ends. */
function cutOf(bytes: Buffer, bytesMax: number): number {
  const fitting = bytes.lastIndexOf(newline, Math.min(bytes.length, bytesMax) - 1) + 1;
  return fitting > 0 ? fitting : bytes.indexOf(newline, bytesMax) + 1;
}
