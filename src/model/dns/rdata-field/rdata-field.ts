/** One field of rdata; the layout of a type is a sequence of these. */
import type { WireWriter } from './wire-writer.ts';
import type { Words } from './words.ts';

export interface RdataField {
  /** The end of the field that begins at `at`; undefined when there is no valid one before `end`. */
  readonly extent: (bytes: Uint8Array, at: number, end: number) => number | undefined;

  /** The presentation of the extent; may be empty. */
  readonly text: (bytes: Uint8Array, at: number, end: number) => string;

  /** Consumes the words of the field and writes their wire form; false when they are invalid. */
  readonly parse: (words: Words, out: WireWriter) => boolean;

  /** Whether the field at `at` is a domain name, to be decompressed and lowercased. Absent: never. */
  readonly isName?: (bytes: Uint8Array, at: number) => boolean;

  /** Writes the canonical form of the extent, where that is more than a copy; false when it is invalid. */
  readonly canonical?: (bytes: Uint8Array, extent: Extent, out: WireWriter) => boolean;
}

export interface Extent {
  readonly at: number;
  readonly end: number;
}

export function fixedExtent(size: number): RdataField['extent'] {
  return (_bytes, at, end) => (at + size <= end ? at + size : undefined);
}

/** A length byte, followed by that many bytes. */
export function countedExtent(least: number): RdataField['extent'] {
  return (bytes, at, end) => {
    if (at >= end) return undefined;
    const size = bytes[at] as number;
    return size >= least && at + 1 + size <= end ? at + 1 + size : undefined;
  };
}

/** Everything up to the end. */
export const restExtent: RdataField['extent'] = (_bytes, _at, end) => end;
