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

/** Writes the word taken last. */
export function putName(words: Words, out: WireWriter): boolean {
  if (out.isFull) return false;
  const end = writeName(words.source, words.start, words.end, out.bytes, out.length, words.origin);
  if (end === undefined) return false;
  out.length = end;
  return true;
}

/** A name that the record leads to, and by which it can be found. */
export const name: RdataField = {
  extent: nameExtent,
  text: nameText,
  parse: (words, out) => words.next() && putName(words, out),
  isName: () => true,
};

/** A name that only says who signed. It is a field of its own so that no record is found by it. */
export const signer: RdataField = { ...name };
