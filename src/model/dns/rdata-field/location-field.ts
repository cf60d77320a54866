/** Geographic locations, the whole of LOC (RFC 1876): `52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000m 10m`. */
import { readNumber } from './number-fields.ts';
import type { RdataField } from './rdata-field.ts';
import type { Words } from './words.ts';

const locationBytes = 16;
/** The value of 0°; latitude and longitude are in thousandths of a second of arc. */
const middle = 2 ** 31;
const arcSecond = 1000;
const arcMinute = 60 * arcSecond;
const degree = 60 * arcMinute;
const [latitudeMax, longitudeMax] = [90 * degree, 180 * degree];
/** Altitudes are in centimetres above a base this far below the reference spheroid. */
const depth = 10_000_000;
/** The defaults of size, horizontal and vertical precision. */
const defaultSizes: readonly number[] = [0x12, 0x16, 0x13];

export const location: RdataField = {
  extent: (bytes, at, end) => {
    if (at + locationBytes !== end || bytes[at] !== 0) return undefined;
    const isSound =
      [1, 2, 3].every((index) => isSize(bytes[at + index] as number)) &&
      Math.abs(readNumber(bytes, at + 4, 4) - middle) <= latitudeMax &&
      Math.abs(readNumber(bytes, at + 8, 4) - middle) <= longitudeMax;
    return isSound ? end : undefined;
  },
  text: (bytes, at) =>
    [
      angleText(readNumber(bytes, at + 4, 4) - middle, 'N', 'S'),
      angleText(readNumber(bytes, at + 8, 4) - middle, 'E', 'W'),
      metresText(readNumber(bytes, at + 12, 4) - depth),
      ...[1, 2, 3].map((index) => sizeText(bytes[at + index] as number)),
    ].join(' '),
  parse: (words, out) => {
    const latitude = parseAngle(words, 'N', 'S', latitudeMax);
    if (latitude === undefined) return false;
    const longitude = parseAngle(words, 'E', 'W', longitudeMax);
    const height = parseCentimetres(words);
    if (longitude === undefined || height === undefined) return false;
    if (height < -depth || height + depth >= 2 ** 32) return false;
    out.put8(0);
    for (const byDefault of defaultSizes) {
      const size = words.areOver ? byDefault : parseSize(words);
      if (size === undefined) return false;
      out.put8(size);
    }
    for (const value of [latitude + middle, longitude + middle, height + depth]) out.put32(value);
    return true;
  },
};

/** One digit times a power of ten, in centimetres. */
function isSize(byte: number): boolean {
  return byte === 0 || (byte >>> 4 >= 1 && byte >>> 4 <= 9 && (byte & 15) <= 9);
}

function sizeText(byte: number): string {
  const centimetres = (byte >>> 4) * 10 ** (byte & 15);
  return centimetres % 100 === 0 && centimetres > 0 ? `${centimetres / 100}m` : metresText(centimetres);
}

function parseSize(words: Words): number | undefined {
  const centimetres = parseCentimetres(words);
  if (centimetres === undefined || centimetres < 0) return undefined;
  let [digit, power] = [centimetres, 0];
  for (; digit > 9; power++) digit = Math.trunc(digit / 10);
  return power > 9 ? undefined : (digit << 4) | power;
}

function metresText(centimetres: number): string {
  return `${(centimetres / 100).toFixed(2)}m`;
}

function parseCentimetres(words: Words): number | undefined {
  const parts = /^(-?)(\d{1,8})(?:\.(\d{0,2}))?m?$/i.exec(words.nextShort() ?? '');
  if (!parts) return undefined;
  const [, sign, metres, fraction = ''] = parts;
  const centimetres = Number(metres) * 100 + Number(fraction.padEnd(2, '0'));
  return sign === '-' ? -centimetres : centimetres;
}

function angleText(thousandths: number, positive: string, negative: string): string {
  const size = Math.abs(thousandths);
  const degrees = Math.trunc(size / degree);
  const minutes = Math.trunc((size % degree) / arcMinute);
  const seconds = ((size % arcMinute) / arcSecond).toFixed(3);
  return `${degrees} ${minutes} ${seconds} ${thousandths < 0 ? negative : positive}`;
}

/** Parses `d [m [s]]` and the direction; undefined when it exceeds `max`. */
function parseAngle(words: Words, positive: string, negative: string, max: number): number | undefined {
  let size = 0;
  for (const [index, unit] of [degree, arcMinute, arcSecond, 0].entries()) {
    const word = words.nextShort()?.toUpperCase() ?? '';
    const isPositive = word === positive;
    if (index > 0 && (isPositive || word === negative)) {
      if (size > max) return undefined;
      return isPositive ? size : -size;
    }
    const value = parseSixtieth(word, unit === arcSecond);
    if (value === undefined || (index > 0 && value >= 60)) return undefined;
    size += Math.round(value * unit);
  }
  return undefined;
}

function parseSixtieth(word: string, mayHaveFraction: boolean): number | undefined {
  const pattern = mayHaveFraction ? /^\d{1,2}(?:\.\d{0,3})?$/ : /^\d{1,3}$/;
  return pattern.test(word) ? Number(word) : undefined;
}
