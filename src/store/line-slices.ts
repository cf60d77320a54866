/** A stretch of a stream in slices that end where a line ends. */
import type { Offset, OpenRange } from './stream-store.ts';

export interface LineSlice {
  /** Whole lines, good until the next slice is asked for. */
  readonly bytes: Uint8Array;
  /** The place behind them. */
  readonly end: Offset;
}

export interface LineSlicesOptions {
  /** A slice is no longer than this, unless a single line is. */
  readonly bytesMax?: number;
  readonly from?: Offset;
  readonly to?: Offset;
}

const newline = 10;

/** Nothing is copied but lines that lie across two pieces. What follows the last newline is not given. */
export async function* scanLines(
  range: Pick<OpenRange, 'from' | 'to' | 'read'>,
  { bytesMax = 65_536, from = range.from, to = range.to }: LineSlicesOptions = {},
): AsyncGenerator<LineSlice, void, undefined> {
  let end = Math.max(from, range.from);
  let begun: Uint8Array[] = [];
  for await (const piece of range.read(from, to)) {
    let rest = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    if (begun.length > 0) {
      const lineEnd = rest.indexOf(newline) + 1;
      if (lineEnd > 0) {
        const bytes = Buffer.concat([...begun, rest.subarray(0, lineEnd)]);
        begun = [];
        end += bytes.length;
        yield { bytes, end };
        rest = rest.subarray(lineEnd);
      }
    }
    while (rest.length > 0) {
      const cut = begun.length > 0 ? 0 : cutOf(rest, bytesMax);
      if (cut === 0) {
        begun.push(Uint8Array.from(rest));
        break;
      }
      end += cut;
      yield { bytes: rest.subarray(0, cut), end };
      rest = rest.subarray(cut);
    }
  }
}

/** Behind the last line that fits, or behind the first where none does; 0 where not even that one ends. */
function cutOf(bytes: Buffer, bytesMax: number): number {
  const fitting = bytes.lastIndexOf(newline, Math.min(bytes.length, bytesMax) - 1) + 1;
  return fitting > 0 ? fitting : bytes.indexOf(newline, bytesMax) + 1;
}
