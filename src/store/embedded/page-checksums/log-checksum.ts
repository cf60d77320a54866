/**
 * The checksum of SQLite's write-ahead log, https://sqlite.org/walformat.html#checksum_algorithm: two sums modulo 2³² over pairs of words.
 * Each frame continues that of the frame before it. Our checksum of a page is the same, begun with zero.
 */
export interface LogChecksum {
  readonly first: number;
  readonly second: number;
}

export const zeroChecksum: LogChecksum = { first: 0, second: 0 };

/** Words have the order of the machine's bytes. Their number is even. */
export function logChecksum({ first, second }: LogChecksum, words: Int32Array): LogChecksum {
  let [one, two] = [first | 0, second | 0];
  const whole = words.length & ~3;
  // Two pairs at once, and whole numbers of 32 bits only: four times as fast.
  for (let at = 0; at < whole; at += 4) {
    one = (((one + (words[at] as number)) | 0) + two) | 0;
    two = (((two + (words[at + 1] as number)) | 0) + one) | 0;
    one = (((one + (words[at + 2] as number)) | 0) + two) | 0;
    two = (((two + (words[at + 3] as number)) | 0) + one) | 0;
  }
  if (whole < words.length) {
    one = (one + (words[whole] as number) + two) | 0;
    two = (two + (words[whole + 1] as number) + one) | 0;
  }
  return { first: one >>> 0, second: two >>> 0 };
}

export function pageChecksum(page: Buffer): LogChecksum {
  return logChecksum(zeroChecksum, wordsOf(page));
}

export function sameChecksum(one: LogChecksum, other: LogChecksum): boolean {
  return one.first === other.first && one.second === other.second;
}

export function readLogChecksum(bytes: Buffer, at: number): LogChecksum {
  return { first: bytes.readUInt32BE(at), second: bytes.readUInt32BE(at + 4) };
}

/** Bytes that begin at a multiple of four. */
export function wordsOf(bytes: Buffer): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

/** For `wordsOf`. */
export function alignedBuffer(length: number): Buffer {
  return Buffer.from(new ArrayBuffer(length));
}

/** A 2 × 2 matrix: what the sums before some words add to the sums after them. */
type Matrix = readonly [number, number, number, number];

const onePair: Matrix = [1, 1, 1, 2];
const powers = new Map<number, Matrix>();

/**
 * The checksum of the page at the end of a frame, from those of the frame and of what precedes the page. Sums are linear, so what
 * precedes the page is subtracted without reading it.
 */
export function pageChecksumOf(frame: LogChecksum, before: LogChecksum, pageBytes: number): LogChecksum {
  let power = powers.get(pageBytes);
  if (!power) powers.set(pageBytes, (power = powerOf(onePair, pageBytes / 8)));
  const [a, b, c, d] = power;
  const first = Math.imul(a, before.first) + Math.imul(b, before.second);
  const second = Math.imul(c, before.first) + Math.imul(d, before.second);
  return { first: (frame.first - first) >>> 0, second: (frame.second - second) >>> 0 };
}

function powerOf(base: Matrix, exponent: number): Matrix {
  if (exponent === 0) return [1, 0, 0, 1];
  const half = powerOf(base, exponent >>> 1);
  const square = product(half, half);
  return exponent % 2 === 0 ? square : product(square, base);
}

function product([a, b, c, d]: Matrix, [e, f, g, h]: Matrix): Matrix {
  const cell = (one: number, two: number, three: number, four: number) =>
    (Math.imul(one, two) + Math.imul(three, four)) | 0;
  return [cell(a, e, b, g), cell(a, f, b, h), cell(c, e, d, g), cell(c, f, d, h)];
}
