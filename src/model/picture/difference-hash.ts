/**
 * A perceptual hash of 64 bits, the difference hash (dHash): an image is shrunk to 9 × 8 grey pixels, and each bit says whether a pixel is
 * brighter than its left neighbour. Images that look alike have hashes of small Hamming distance. Written as 16 hex digits.
 */

export const hashColumns = 9;
export const hashRows = 8;

/** How many bits may differ in images that count as alike. The bound of the index by quarters: see `nearbyQuarters`. */
export const alikeBitsMax = 7;

const quarterBits = 16;
const hexDigitsPerQuarter = 4;
const quarters = 4;

/** From 72 grey values, row by row. */
export function differenceHash(grey: Uint8Array): string {
  let hex = '';
  for (let row = 0; row < hashRows; row += 1) {
    let byte = 0;
    for (let column = 1; column < hashColumns; column += 1) {
      const at = row * hashColumns + column;
      byte = (byte << 1) | ((grey[at] ?? 0) > (grey[at - 1] ?? 0) ? 1 : 0);
    }
    hex += byte.toString(16).padStart(2, '0');
  }
  return hex;
}

export function isDifferenceHash(text: string): boolean {
  return /^[0-9a-f]{16}$/.test(text);
}

/** A page without structure, such as an empty one, resembles too many others to say anything. */
export function isTelling(hash: string): boolean {
  return hammingDistance(hash, '0000000000000000') >= 4;
}

export function hammingDistance(one: string, other: string): number {
  return halfDistance(one.slice(0, 8), other.slice(0, 8)) + halfDistance(one.slice(8), other.slice(8));
}

export function quartersOf(hash: string): readonly number[] {
  return Array.from({ length: quarters }, (_, quarter) => quarterOf(hash, quarter));
}

/**
 * The quarters by which an index finds all hashes within `alikeBitsMax`: of two hashes that differ in at most 7 bits, one of the four
 * quarters differs in at most one (pigeonhole principle). 17 values for each quarter.
 */
export function* nearbyQuarters(hash: string): Generator<readonly [quarter: number, bits: number]> {
  for (const [quarter, bits] of quartersOf(hash).entries()) {
    yield [quarter, bits];
    for (let bit = 0; bit < quarterBits; bit += 1) yield [quarter, bits ^ (1 << bit)];
  }
}

function quarterOf(hash: string, quarter: number): number {
  const at = quarter * hexDigitsPerQuarter;
  return Number.parseInt(hash.slice(at, at + hexDigitsPerQuarter), 16);
}

function halfDistance(one: string, other: string): number {
  return bitCount(Number.parseInt(one, 16) ^ Number.parseInt(other, 16));
}

/** Of 32 bits, in parallel: pairs, then nibbles, then bytes. */
export function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
