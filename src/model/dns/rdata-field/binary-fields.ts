/** Bytes as hexadecimal, base32hex and base64. Letters are written in upper case, as BIND does. */
import { countedExtent, fixedExtent, type RdataField, restExtent } from './rdata-field.ts';
import type { WireWriter } from './wire-writer.ts';

const noSymbol = 255;

/** The value of each byte as a symbol of the alphabet. */
function symbols(alphabet: string, isAnyCase: boolean): Uint8Array {
  const table = new Uint8Array(256).fill(noSymbol);
  for (let value = 0; value < alphabet.length; value++) {
    const symbol = alphabet.charAt(value);
    table[symbol.charCodeAt(0)] = value;
    if (isAnyCase) table[symbol.toLowerCase().charCodeAt(0)] = value;
  }
  return table;
}

const base32Alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUV';
const hexSymbols = symbols('0123456789ABCDEF', true);
const base32Symbols = symbols(base32Alphabet, true);
const base64Symbols = symbols('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', false);

/** False when a byte is not in the alphabet, or a symbol is left over. */
function decode(text: Uint8Array, table: Uint8Array, symbolBits: 4 | 5 | 6, out: WireWriter): boolean {
  let [held, heldBits] = [0, 0];
  for (let index = 0; index < text.length; index++) {
    const value = table[text[index] as number] as number;
    if (value === noSymbol) return false;
    held = ((held << symbolBits) | value) & 0xfff;
    heldBits += symbolBits;
    if (heldBits >= 8) {
      heldBits -= 8;
      out.put8((held >>> heldBits) & 255);
    }
  }
  return heldBits < symbolBits;
}

export function putHex(text: Uint8Array, out: WireWriter): boolean {
  return decode(text, hexSymbols, 4, out);
}

export function putBase64(text: Uint8Array, out: WireWriter): boolean {
  if (text.length % 4 !== 0) return false;
  let end = text.length;
  while (end > text.length - 2 && text[end - 1] === 0x3d) end -= 1;
  return decode(text.subarray(0, end), base64Symbols, 6, out);
}

function asBuffer(bytes: Uint8Array, from: number, to: number): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from);
}

export function hexText(bytes: Uint8Array, from: number, to: number): string {
  return asBuffer(bytes, from, to).toString('hex').toUpperCase();
}

export function base64Text(bytes: Uint8Array, from: number, to: number): string {
  return asBuffer(bytes, from, to).toString('base64');
}

function base32Text(bytes: Uint8Array, from: number, to: number): string {
  let [text, held, heldBits] = ['', 0, 0];
  for (let offset = from; offset < to; offset++) {
    held = ((held << 8) | (bytes[offset] as number)) & 0xfff;
    heldBits += 8;
    for (; heldBits >= 5; heldBits -= 5) text += base32Alphabet.charAt((held >>> (heldBits - 5)) & 31);
  }
  return heldBits === 0 ? text : text + base32Alphabet.charAt((held << (5 - heldBits)) & 31);
}

function restField(
  text: RdataField['text'],
  put: (text: Uint8Array, out: WireWriter) => boolean,
): RdataField {
  return {
    extent: restExtent,
    text,
    parse: (words, out) => {
      const rest = words.rest();
      return rest !== undefined && put(rest, out);
    },
  };
}

/** The remaining bytes; the presentation may span any number of words. */
export const hex = restField(hexText, putHex);
export const base64 = restField(base64Text, putBase64);

/** The salt of NSEC3: `-` when it is empty. */
export const salt: RdataField = {
  extent: countedExtent(0),
  text: (bytes, at, end) => (end === at + 1 ? '-' : hexText(bytes, at + 1, end)),
  parse: (words, out) => {
    if (!words.next() || words.start === words.end) return false;
    const word = words.source.subarray(words.start, words.end);
    return out.counted(() => (word.length === 1 && word[0] === 0x2d) || putHex(word, out));
  },
};

/** The hashed owner name of NSEC3. */
export const hash: RdataField = {
  extent: countedExtent(1),
  text: (bytes, at, end) => base32Text(bytes, at + 1, end),
  parse: (words, out) => {
    if (!words.next() || words.start === words.end) return false;
    const word = words.source.subarray(words.start, words.end);
    return out.counted(() => decode(word, base32Symbols, 5, out));
  },
};

/** Groups of hexadecimal digits with a separator. */
function groupedHex(groups: number, groupDigits: number, leastDigits: number, separator: string): RdataField {
  const group = new RegExp(`^[0-9a-f]{${leastDigits},${groupDigits}}$`, 'i');
  return {
    extent: fixedExtent((groups * groupDigits) / 2),
    text: (bytes, at, end) => {
      const digits = asBuffer(bytes, at, end).toString('hex');
      const groupText = (_: unknown, index: number) =>
        digits.slice(index * groupDigits, (index + 1) * groupDigits);
      return Array.from({ length: groups }, groupText).join(separator);
    },
    parse: (words, out) => {
      const parts = words.nextShort()?.split(separator);
      if (parts?.length !== groups || !parts.every((part) => group.test(part))) return false;
      out.putAll(Buffer.from(parts.map((part) => part.padStart(groupDigits, '0')).join(''), 'hex'));
      return true;
    },
  };
}

export const eui48 = groupedHex(6, 2, 2, '-');
export const eui64 = groupedHex(8, 2, 2, '-');
/** A node identifier or locator: half an IPv6 address, without zero compression. */
export const addressHalf = groupedHex(4, 4, 1, ':');
