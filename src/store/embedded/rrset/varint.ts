/** Numbers in seven bits a byte, least first, up to 2^53. */

export function writeVarint(into: Uint8Array, at: number, value: number): number {
  if (value < 0x80) {
    into[at] = value;
    return at + 1;
  }
  let place = at;
  let rest = value;
  while (rest > 0x7fff_ffff) {
    into[place++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  while (rest >= 0x80) {
    into[place++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  into[place++] = rest;
  return place;
}

export function readVarint(bytes: Uint8Array, at: number): number {
  let byte = bytes[at] as number;
  if (byte < 0x80) return byte;
  let value = byte & 0x7f;
  let weight = 0x80;
  for (let place = at + 1; place < at + 8; place += 1) {
    byte = bytes[place] as number;
    value += (byte & 0x7f) * weight;
    if (byte < 0x80) return value;
    weight *= 0x80;
  }
  throw new Error('a number in a run of RRsets is damaged');
}

export function varintEnd(bytes: Uint8Array, at: number): number {
  let place = at;
  while ((bytes[place] as number) >= 0x80) place += 1;
  return place + 1;
}
