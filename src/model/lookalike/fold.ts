/**
 * What every character is folded to: one or two symbols of a small alphabet for ASCII, the ASCII text that it looks like for
 * everything else. Characters that look like nothing in ASCII share a few symbols; whether they are the same is seen when a
 * candidate is looked at closely.
 */
import { closeLetters } from './tables/close-letters.ts';
import { confusables } from './tables/confusables.ts';
import { folded } from './tables/look-alike-letters.ts';

const symbolLetters = 'abcefghjklnopqrstuvxyz';
const otherSymbols = 4;

/** Symbols are 1 … symbolMax; 0 is none. */
export const symbolMax = symbolLetters.length + otherSymbols;

/** A code holds the first symbol in its low five bits and the second, where there is one, above it. Others divide. */
export const secondShift = 5;
export const symbolMask = 31;
export const hyphenCode = 1 << 10;
export const dotCode = hyphenCode + 1;
export const lineEndCode = hyphenCode + 2;
export const beyondAsciiCode = hyphenCode + 3;

/** Stand in skeletons for characters that look like nothing in ASCII. */
const otherByte = 0x80;

function codeOf(character: string): number {
  const [first = '', second = ''] = folded[character] ?? character;
  const symbol = symbolLetters.indexOf(first) + 1;
  if (first === '' || symbol === 0) return 0;
  return symbol | (second === '' ? 0 : (symbolLetters.indexOf(second) + 1) << secondShift);
}

function otherCode(byte: number): number {
  return symbolLetters.length + 1 + (byte % otherSymbols);
}

/** Codes of the bytes of names as they come. */
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

const looks = new Map<string, string>();
for (const table of [confusables, closeLetters]) {
  for (const [ascii, alike] of Object.entries(table)) {
    for (const character of alike) looks.set(character, ascii);
  }
}

const known = new Map<string, string>();
const knownMax = 4096;
const isMark = /^[\p{M}\p{Cf}]$/u;

/** The bytes of the skeleton of one character that is not ASCII, as characters; nothing for a mark. */
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
  const alike = looks.get(character);
  if (alike !== undefined) return alike;
  if (isMark.test(character)) return '';
  const code = character.codePointAt(0) as number;
  return code < 0x80 ? character : String.fromCharCode(otherByte + (code % 0x80));
}

/** The codes of the skeleton of a character. */
export function codesOf(character: string): number[] {
  const skeleton = character < '\u0080' ? character : skeletonOf(character);
  return Array.from(skeleton, (byte) => skeletonCodes[byte.charCodeAt(0)] as number);
}

/** The symbols of a character, each as a character of a text. */
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

/** Whether what is folded to this is alike, or only shares a symbol. */
export function looksLikeAscii(symbols: string): boolean {
  return symbols.charCodeAt(0) <= symbolLetters.length;
}

/** None of what divides. */
export function symbolsOfCode(code: number): string {
  if (code >= hyphenCode) return '';
  const first = String.fromCharCode(code & symbolMask);
  return code >> secondShift === 0 ? first : first + String.fromCharCode(code >> secondShift);
}

const asciiSymbols = Array.from(skeletonCodes.subarray(0, 0x80), symbolsOfCode);
