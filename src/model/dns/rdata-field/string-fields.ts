/** Character-strings (RFC 1035, section 3.3) and what is written like them. */
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
  for (let place = from; place < to; place++) {
    if (length > scratch.length - 5) {
      text += scratch.toString('latin1', 0, length);
      length = 0;
    }
    length = putEscaped(bytes[place] as number, escapes, scratch, length);
  }
  scratch[length++] = quote;
  return text + scratch.toString('latin1', 0, length);
}

/** Writes source[from, to) without its escapes; false when one of them is none. */
export function putCharacters(source: Uint8Array, from: number, to: number, out: WireWriter): boolean {
  let place = from;
  while (place < to) {
    const byte = source[place] as number;
    if (byte !== backslash) {
      out.put8(byte);
      place += 1;
      continue;
    }
    const meant = escapedByte(source, place, to);
    if (meant === undefined) return false;
    out.put8(meant);
    place += escapeWidth(source, place);
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

/** A word of a fixed vocabulary, so without quotes unless it has to have them. */
export const tag: RdataField = {
  ...string,
  text: (bytes, at, end) => {
    const text = quotedText(bytes, at + 1, end);
    return /^"[a-z0-9]+"$/i.test(text) ? text.slice(1, -1) : text;
  },
};

/** One string or more, up to the end. None at all is met in practice and taken for one empty string. */
export const strings: RdataField = {
  extent: (bytes, at, end) => {
    let place: number | undefined = at;
    while (place !== undefined && place < end) place = counted(bytes, place, end);
    return place;
  },
  text: (bytes, at, end) => {
    if (at === end) return '""';
    let text = '';
    for (let place = at; place < end; ) {
      const next = place + 1 + (bytes[place] as number);
      text += (place === at ? '' : ' ') + quotedText(bytes, place + 1, next);
      place = next;
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

/** All that is left as one string without a length of its own. */
export const longText: RdataField = {
  extent: restExtent,
  text: quotedText,
  parse: (words, out) => words.next() && putWord(words, out),
};
