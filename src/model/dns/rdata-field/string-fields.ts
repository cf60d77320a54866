/** Character strings (RFC 1035, section 3.3) and fields with the same presentation. */
import { backslash, escapedByte, escapeTable, escapeWidth, putEscaped } from '../escape.ts';
import { countedExtent, type RdataField, restExtent } from './rdata-field.ts';
import type { WireWriter } from './wire-writer.ts';
import type { Words } from './words.ts';

const escapes = escapeTable('"\\');
const pieceBytes = 256;
const scratch = Buffer.alloc(4 * pieceBytes + 2);
const quote = 0x22;

/** In double quotes, with escapes where needed. */
export function quotedText(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  let length = 0;
  scratch[length++] = quote;
  for (let offset = from; offset < to; offset++) {
    if (length > scratch.length - 5) {
      text += scratch.toString('latin1', 0, length);
      length = 0;
    }
    length = putEscaped(bytes[offset] as number, escapes, scratch, length);
  }
  scratch[length++] = quote;
  return text + scratch.toString('latin1', 0, length);
}

/** Writes source[from, to) with its escapes decoded; false when one is invalid. */
export function putCharacters(source: Uint8Array, from: number, to: number, out: WireWriter): boolean {
  let offset = from;
  while (offset < to) {
    const byte = source[offset] as number;
    if (byte !== backslash) {
      out.put8(byte);
      offset += 1;
      continue;
    }
    const meant = escapedByte(source, offset, to);
    if (meant === undefined) return false;
    out.put8(meant);
    offset += escapeWidth(source, offset);
  }
  return true;
}

function putWord(words: Words, out: WireWriter): boolean {
  return putCharacters(words.source, words.start, words.end, out);
}

const counted = countedExtent(0);

export const string: RdataField = {
  extent: counted,
  text: (bytes, at, end) => quotedText(bytes, at + 1, end),
  parse: (words, out) => words.next() && out.counted(() => putWord(words, out)),
};

/** May be missing at the end of rdata. */
export const optionalString: RdataField = {
  extent: (bytes, at, end) => (at === end ? at : counted(bytes, at, end)),
  text: (bytes, at, end) => (at === end ? '' : string.text(bytes, at, end)),
  parse: (words, out) => words.areOver || string.parse(words, out),
};

/** A keyword, so quoted only where necessary. */
export const tag: RdataField = {
  ...string,
  text: (bytes, at, end) => {
    const text = quotedText(bytes, at + 1, end);
    return /^"[a-z0-9]+"$/i.test(text) ? text.slice(1, -1) : text;
  },
};

/** One or more strings, up to the end. None at all occurs in practice, and becomes one empty string. */
export const strings: RdataField = {
  extent: (bytes, at, end) => {
    let offset: number | undefined = at;
    while (offset !== undefined && offset < end) offset = counted(bytes, offset, end);
    return offset;
  },
  text: (bytes, at, end) => {
    if (at === end) return '""';
    let text = '';
    for (let offset = at; offset < end; ) {
      const next = offset + 1 + (bytes[offset] as number);
      text += (offset === at ? '' : ' ') + quotedText(bytes, offset + 1, next);
      offset = next;
    }
    return text;
  },
  parse: (words, out) => {
    do {
      if (!string.parse(words, out)) return false;
    } while (!words.areOver);
    return true;
  },
};

/** The remaining bytes as one string without a length byte. */
export const longText: RdataField = {
  extent: restExtent,
  text: quotedText,
  parse: (words, out) => words.next() && putWord(words, out),
};
