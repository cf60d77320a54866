/** Sets of types: the blocks of NSEC, NSEC3 and CSYNC (RFC 4034, section 4.1.2) and the older form of NXT (RFC 2535). */
import { typeNumber, typeText } from '../rr-type.ts';
import type { RdataField } from './rdata-field.ts';
import type { Words } from './words.ts';

const blockBytesMax = 32;
const blocks = 256;
const nxtBytesMax = 16;

function namesOfBits(bytes: Uint8Array, from: number, to: number, firstType: number): string[] {
  const names: string[] = [];
  for (let offset = from; offset < to; offset++) {
    for (let bit = 0; bit < 8; bit++) {
      if (((bytes[offset] as number) & (0x80 >>> bit)) !== 0) {
        names.push(typeText(firstType + (offset - from) * 8 + bit));
      }
    }
  }
  return names;
}

/** The remaining words as one bit for each of the first `types` types; undefined when a word is not one of them. */
function readBits(words: Words, types: number): Uint8Array | undefined {
  const bits = new Uint8Array(types / 8);
  while (!words.areOver) {
    const type = typeNumber(words.nextShort() ?? '');
    if (type === undefined || type >= types) return undefined;
    bits[type >>> 3] = (bits[type >>> 3] as number) | (0x80 >>> (type & 7));
  }
  return bits;
}

/** Where the trailing zeros begin. */
function usedEnd(bits: Uint8Array, from: number, to: number): number {
  let end = to;
  while (end > from && bits[end - 1] === 0) end -= 1;
  return end;
}

export const typeBitmap: RdataField = {
  extent: (bytes, at, end) => {
    let lastBlock = -1;
    for (let offset = at; offset < end; ) {
      const block = bytes[offset] as number;
      const size = bytes[offset + 1] ?? 0;
      offset += 2 + size;
      if (block <= lastBlock || size === 0 || size > blockBytesMax || offset > end) return undefined;
      // Trailing zeros are forbidden, and would be lost in presentation form.
      if (bytes[offset - 1] === 0) return undefined;
      lastBlock = block;
    }
    return end;
  },
  text: (bytes, at, end) => {
    const names: string[] = [];
    for (let offset = at; offset < end; ) {
      const next = offset + 2 + (bytes[offset + 1] as number);
      names.push(...namesOfBits(bytes, offset + 2, next, (bytes[offset] as number) * 256));
      offset = next;
    }
    return names.join(' ');
  },
  parse: (words, out) => {
    if (words.areOver) return true;
    const bits = readBits(words, 65_536);
    if (!bits) return false;
    for (let block = 0; block < blocks; block++) {
      const from = block * blockBytesMax;
      const to = usedEnd(bits, from, from + blockBytesMax);
      if (from === to) continue;
      out.put8(block);
      out.put8(to - from);
      out.putAll(bits.subarray(from, to));
    }
    return true;
  },
};

export const nxtBitmap: RdataField = {
  extent: (bytes, at, end) => {
    if (at === end) return end;
    // The first bit marks an extended format, which was never defined.
    const isKnownForm = ((bytes[at] as number) & 0x80) === 0;
    return isKnownForm && end - at <= nxtBytesMax && bytes[end - 1] !== 0 ? end : undefined;
  },
  text: (bytes, at, end) => namesOfBits(bytes, at, end, 0).join(' '),
  parse: (words, out) => {
    const bits = readBits(words, nxtBytesMax * 8);
    if (!bits || ((bits[0] as number) & 0x80) !== 0) return false;
    out.putAll(bits.subarray(0, usedEnd(bits, 0, bits.length)));
    return true;
  },
};
