/**
 * Confusables folding: a character outside ASCII becomes its skeleton, the ASCII text it resembles (UTS 39,
 * https://www.unicode.org/reports/tr39/#Confusable_Detection), and an ASCII character becomes one or two symbols of a small
 * alphabet in which homoglyphs coincide. Characters without an ASCII equivalent share a few symbols; verification compares them.
 */

import { asciiHomoglyphs } from './tables/ascii-homoglyphs.ts';
import { confusables } from './tables/confusables.ts';
import { extraConfusables } from './tables/extra-confusables.ts';

const symbolLetters = 'abcefghjklnopqrstuvxyz';
const otherSymbols = 4;

/** Symbols are 1 … symbolMax; 0 is no symbol. */
export const symbolMax = symbolLetters.length + otherSymbols;

/** A code holds the first symbol in its low five bits and the optional second one above. Codes from `hyphenCode` on are dividers. */
export const secondShift = 5;
export const symbolMask = 31;
export const hyphenCode = 1 << 10;
export const dotCode = hyphenCode + 1;
export const lineEndCode = hyphenCode + 2;
export const beyondAsciiCode = hyphenCode + 3;

/** Skeleton bytes from here on represent characters without an ASCII equivalent. */
const otherByte = 0x80;

function codeOf(character: string): number {
  const [first = '', second = ''] = asciiHomoglyphs[character] ?? character;
  const symbol = symbolLetters.indexOf(first) + 1;
  if (first === '' || symbol === 0) return 0;
  return symbol | (second === '' ? 0 : (symbolLetters.indexOf(second) + 1) << secondShift);
}

function otherCode(byte: number): number {
  return symbolLetters.length + 1 + (byte % otherSymbols);
}

/** Codes of the bytes of a name as received. */
export const byteCodes = Uint16Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return beyondAsciiCode;
  const character = String.fromCharCode(byte).toLowerCase();
  if (character === '\n') return lineEndCode;
  if (character === '.') return dotCode;
  if (' -_\t\r'.includes(character)) return hyphenCode;
  return codeOf(character) || otherCode(byte);
});

/** Codes of the bytes of skeletons. */
export const skeletonCodes = byteCodes.map((code, byte) =>
  code === beyondAsciiCode || code === lineEndCode ? otherCode(byte) : code,
);

const prototypes = new Map<string, string>();
for (const table of [confusables, extraConfusables]) {
  for (const [ascii, prototype] of Object.entries(table)) {
    for (const character of prototype) prototypes.set(character, ascii);
  }
}

const known = new Map<string, string>();
const knownMax = 4096;
const isMark = /^[\p{M}\p{Cf}]$/u;

/** The skeleton of one character that is not ASCII, one byte a character of the string; empty for a combining mark. */
export function skeletonOf(character: string): string {
  let skeleton = known.get(character);
  if (skeleton === undefined) {
    skeleton = '';
    for (const one of character.normalize('NFKD').toLowerCase()) skeleton += baseSkeleton(one);
    if (known.size >= knownMax) known.clear();
    known.set(character, skeleton);
  }
  return skeleton;
}

function baseSkeleton(character: string): string {
  const prototype = prototypes.get(character);
  if (prototype !== undefined) return prototype;
  if (isMark.test(character)) return '';
  const code = character.codePointAt(0) as number;
  return code < 0x80 ? character : String.fromCharCode(otherByte + (code % 0x80));
}

/** The codes of a character's skeleton. */
export function codesOf(character: string): number[] {
  const skeleton = character < '\u0080' ? character : skeletonOf(character);
  return Array.from(skeleton, (byte) => skeletonCodes[byte.charCodeAt(0)] as number);
}

/** The symbols of a character, as a string with one character a symbol. */
export function symbolsOf(character: string): string {
  const ascii = asciiSymbols[character.charCodeAt(0)];
  if (ascii !== undefined && character.length === 1) return ascii;
  let symbols = '';
  for (const one of skeletonOf(character))
    symbols += symbolsOfCode(skeletonCodes[one.charCodeAt(0)] as number);
  return symbols;
}

/** The symbols of a text. */
export function foldOf(text: string): string {
  let symbols = '';
  for (const character of text) symbols += symbolsOf(character);
  return symbols;
}

/** False for the symbols shared by characters without an ASCII equivalent: equal symbols then do not mean equal characters. */
export function isAsciiFold(symbols: string): boolean {
  return symbols.charCodeAt(0) <= symbolLetters.length;
}

/** Empty for dividers. */
export function symbolsOfCode(code: number): string {
  if (code >= hyphenCode) return '';
  const first = String.fromCharCode(code & symbolMask);
  return code >> secondShift === 0 ? first : first + String.fromCharCode(code >> secondShift);
}

const asciiSymbols = Array.from(skeletonCodes.subarray(0, 0x80), symbolsOfCode);
