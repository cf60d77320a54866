/** IPv4 and IPv6 addresses between text and bytes. Written by hand for speed: most rdata is addresses. */

const [dot, colon, zero, lowerA] = [0x2e, 0x3a, 0x30, 0x61];
const groups = 8;
const ipv4Bytes = 4;
export const ipv6Bytes = 16;

const octets = Array.from({ length: 256 }, (_, octet) => String(octet));
const octetsWithDot = octets.map((octet) => `${octet}.`);

export function ipv4Text(bytes: Uint8Array, at: number): string {
  return (
    (octetsWithDot[bytes[at] as number] as string) +
    (octetsWithDot[bytes[at + 1] as number] as string) +
    (octetsWithDot[bytes[at + 2] as number] as string) +
    (octets[bytes[at + 3] as number] as string)
  );
}

/** Parses four decimal numbers without leading zeros, from `from` on; false for anything else. */
export function putIpv4(text: string, from: number, into: Uint8Array, at: number): boolean {
  let octet = 0;
  let digits = 0;
  let count = 0;
  if (text.length - from > 15) return false;
  for (let index = from; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const digit = code - zero;
    if (digit >= 0 && digit <= 9) {
      if (digits > 0 && octet === 0) return false;
      octet = octet * 10 + digit;
      digits += 1;
      if (octet > 255) return false;
    } else {
      if (code !== dot || digits === 0 || count === ipv4Bytes - 1) return false;
      into[at + count++] = octet;
      octet = 0;
      digits = 0;
    }
  }
  into[at + count] = octet;
  return digits > 0 && count === ipv4Bytes - 1;
}

/** The same for text that is given as its bytes source[from, to). */
export function putIpv4Bytes(
  source: Uint8Array,
  from: number,
  to: number,
  into: Uint8Array,
  at: number,
): boolean {
  let octet = 0;
  let digits = 0;
  let count = 0;
  if (to - from > 15) return false;
  for (let index = from; index < to; index++) {
    const code = source[index] as number;
    const digit = code - zero;
    if (digit >= 0 && digit <= 9) {
      if (digits > 0 && octet === 0) return false;
      octet = octet * 10 + digit;
      digits += 1;
      if (octet > 255) return false;
    } else {
      if (code !== dot || digits === 0 || count === ipv4Bytes - 1) return false;
      into[at + count++] = octet;
      octet = 0;
      digits = 0;
    }
  }
  into[at + count] = octet;
  return digits > 0 && count === ipv4Bytes - 1;
}

const scratch = Buffer.alloc(40);

/** RFC 5952: lower case, the longest run of zeros compressed, an IPv4-mapped address in mixed notation. */
export function ipv6Text(bytes: Uint8Array, at: number): string {
  const gapStart = longestGap(bytes, at);
  const gapEnd = gapStart < 0 ? -1 : zerosEnd(bytes, at, gapStart);
  if (gapStart === 0 && gapEnd === 5 && bytes[at + 10] === 255 && bytes[at + 11] === 255) {
    return `::ffff:${ipv4Text(bytes, at + 12)}`;
  }
  let length = 0;
  for (let group = 0; group < groups; group++) {
    if (group === gapStart) {
      scratch[length++] = colon;
      if (gapEnd === groups) scratch[length++] = colon;
      group = gapEnd - 1;
      continue;
    }
    if (group > 0) scratch[length++] = colon;
    const value = groupOf(bytes, at, group);
    if (value > 0xfff) scratch[length++] = hexDigit(value >>> 12);
    if (value > 0xff) scratch[length++] = hexDigit((value >>> 8) & 15);
    if (value > 0xf) scratch[length++] = hexDigit((value >>> 4) & 15);
    scratch[length++] = hexDigit(value & 15);
  }
  return scratch.toString('latin1', 0, length);
}

function hexDigit(value: number): number {
  return value < 10 ? zero + value : lowerA + value - 10;
}

function groupOf(bytes: Uint8Array, at: number, group: number): number {
  return ((bytes[at + 2 * group] as number) << 8) | (bytes[at + 2 * group + 1] as number);
}

/** The index of the longest run of two or more zero groups, the first of equals; -1 when there is none. */
function longestGap(bytes: Uint8Array, at: number): number {
  let start = -1;
  let longest = 1;
  for (let group = 0; group < groups; group++) {
    const end = zerosEnd(bytes, at, group);
    if (end - group > longest) {
      start = group;
      longest = end - group;
    }
    group = end;
  }
  return start;
}

function zerosEnd(bytes: Uint8Array, at: number, from: number): number {
  let group = from;
  while (group < groups && groupOf(bytes, at, group) === 0) group += 1;
  return group;
}

/** Parses any form of RFC 4291, without a zone id; false for anything else. */
export function putIpv6(text: string, into: Uint8Array, at: number): boolean {
  if (text.length < 2 || text.length > 45) return false;
  let value = 0;
  let digits = 0;
  let count = 0;
  let gap = -1;
  let groupStart = 0;
  if (text.charCodeAt(0) === colon && text.charCodeAt(1) !== colon) return false;
  for (let index = text.charCodeAt(0) === colon ? 1 : 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const digit = hexValue(code);
    if (digit >= 0) {
      value = value * 16 + digit;
      digits += 1;
      if (digits > 4) return false;
    } else if (code === colon) {
      groupStart = index + 1;
      if (digits === 0) {
        if (gap >= 0) return false;
        gap = count;
        continue;
      }
      if (count === ipv6Bytes || groupStart === text.length) return false;
      into[at + count++] = value >>> 8;
      into[at + count++] = value;
      value = 0;
      digits = 0;
    } else {
      if (code !== dot || count > ipv6Bytes - ipv4Bytes) return false;
      if (!putIpv4(text, groupStart, into, at + count)) return false;
      count += ipv4Bytes;
      digits = 0;
      break;
    }
  }
  if (digits > 0) {
    if (count === ipv6Bytes) return false;
    into[at + count++] = value >>> 8;
    into[at + count++] = value;
  }
  return gap < 0 ? count === ipv6Bytes : openGap(into, at, count, gap);
}

/** Moves the groups after the `::` to the end. */
function openGap(into: Uint8Array, at: number, count: number, gap: number): boolean {
  if (count === ipv6Bytes) return false;
  const behind = ipv6Bytes - (count - gap);
  into.copyWithin(at + behind, at + gap, at + count);
  into.fill(0, at + gap, at + behind);
  return true;
}

function hexValue(code: number): number {
  if (code >= zero && code <= 0x39) return code - zero;
  const letter = code | 0x20;
  return letter >= lowerA && letter <= 0x66 ? letter - lowerA + 10 : -1;
}
