/** Domain names inside rdata. */
import { nameLength, nameText } from '../name.ts';
import { writeName } from '../write-name.ts';
import type { RdataField } from './rdata-field.ts';
import type { WireWriter } from './wire-writer.ts';
import type { Words } from './words.ts';

export const nameExtent: RdataField['extent'] = (bytes, at, end) => {
  const length = nameLength(bytes, at);
  return length === undefined || at + length > end ? undefined : at + length;
};

/** Writes the current word. */
export function putName(words: Words, out: WireWriter): boolean {
  if (out.isFull) return false;
  const end = writeName(words.source, words.start, words.end, out.bytes, out.length, words.origin);
  if (end === undefined) return false;
  out.length = end;
  return true;
}

/** A name that the record refers to, and by which inverse lookups find it. */
export const name: RdataField = {
  extent: nameExtent,
  text: nameText,
  parse: (words, out) => words.next() && putName(words, out),
  isName: () => true,
};

/** The name of a signer: a field of its own, because inverse lookups do not find records by it. */
export const signer: RdataField = { ...name };
