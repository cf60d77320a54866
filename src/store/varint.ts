/**
 * Variable-length integers (varints): unsigned LEB128, seven bits a byte, least significant first, up to 2^53 − 1.
 * https://en.wikipedia.org/wiki/LEB128#Unsigned_LEB128
 */

export function writeVarint(into: Uint8Array, at: number, value: number): number {
  if (value < 0x80) {
    into[at] = value;
    return at + 1;
  }
  let position = at;
  let rest = value;
  while (rest > 0x7fff_ffff) {
    into[position++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  while (rest >= 0x80) {
    into[position++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  into[position++] = rest;
  return position;
}

export function readVarint(bytes: Uint8Array, at: number): number {
  let byte = bytes[at] as number;
  if (byte < 0x80) return byte;
  let value = byte & 0x7f;
  let weight = 0x80;
  for (let position = at + 1; position < at + 8; position += 1) {
    byte = bytes[position] as number;
    value += (byte & 0x7f) * weight;
    if (byte < 0x80) return value;
    weight *= 0x80;
  }
  throw new Error('a varint is corrupt: it has more than eight bytes');
}

export function varintEnd(bytes: Uint8Array, at: number): number {
  let position = at;
  while ((bytes[position] as number) >= 0x80) position += 1;
  return position + 1;
}
