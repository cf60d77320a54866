/** What one field of rdata can do; the layout of a type is a sequence of these. */
import type { WireWriter } from './wire-writer.ts';
import type { Words } from './words.ts';

export interface RdataField {
  /** Where the field that begins at `at` ends; undefined when the bytes up to `end` do not begin with one. */
  readonly extent: (bytes: Uint8Array, at: number, end: number) => number | undefined;

  /** Presentation of what `extent` found. Empty when there is nothing to write. */
  readonly text: (bytes: Uint8Array, at: number, end: number) => string;

  /** Takes the words that it needs and writes their wire form; false when they are no such field. */
  readonly parse: (words: Words, out: WireWriter) => boolean;

  /** Whether the field at `at` is a domain name, to be decompressed and put in lower case. Absent: never. */
  readonly isName?: (bytes: Uint8Array, at: number) => boolean;
}

export function fixedExtent(size: number): RdataField['extent'] {
  return (_bytes, at, end) => (at + size <= end ? at + size : undefined);
}

/** A length byte, then that many bytes. */
export function countedExtent(least: number): RdataField['extent'] {
  return (bytes, at, end) => {
    if (at >= end) return undefined;
    const size = bytes[at] as number;
    return size >= least && at + 1 + size <= end ? at + 1 + size : undefined;
  };
}

/** All that is left. */
export const restExtent: RdataField['extent'] = (_bytes, _at, end) => end;
