/**
 * Encodes names from presentation to wire form, into a buffer with at least 256 bytes left from `at`. Both functions return the
 * end, or undefined, and then leave garbage in the buffer.
 */
import { backslash, escapedByte, escapeWidth } from './escape.ts';
import { lowerByte, restoreFoldedLabel } from './label-case.ts';
import type { WireName } from './rrset.ts';

const [dot, atSign, space] = [0x2e, 0x40, 0x20];
export const labelBytesMax = 63;
export const nameBytesMax = 255;

/** Printable characters in lower case; 0 for those that the fast path does not handle. */
const plainByte = lowerByte.map((byte, code) =>
  code <= space || code === dot || code === backslash || code >= 0x7f ? 0 : byte,
);

/** Fast path for printable ASCII without escapes, in text[from, to); undefined for everything else, valid or not. */
export function writePlainName(
  text: string,
  from: number,
  to: number,
  into: Uint8Array,
  at: number,
  origin?: WireName,
): number | undefined {
  if (to - from <= 1 || to - from > nameBytesMax) return undefined;
  let labelAt = at;
  let next = at + 1;
  for (let index = from; index < to; index++, next++) {
    const code = text.charCodeAt(index);
    const byte = code < 128 ? (plainByte[code] as number) : 0;
    if (byte !== 0) {
      into[next] = byte;
    } else {
      if (code !== dot || !closeLabel(into, labelAt, next)) return undefined;
      labelAt = next;
    }
  }
  return closeName(into, at, labelAt, next, origin);
}

/** The same for text that is given as its bytes source[from, to), without an origin. */
export function writePlainNameBytes(
  source: Uint8Array,
  from: number,
  to: number,
  into: Uint8Array,
  at: number,
): number | undefined {
  if (to - from <= 1 || to - from > nameBytesMax) return undefined;
  let labelAt = at;
  let next = at + 1;
  for (let index = from; index < to; index++, next++) {
    const code = source[index] as number;
    const byte = plainByte[code] as number;
    if (byte !== 0) {
      into[next] = byte;
    } else {
      if (code !== dot || !closeLabel(into, labelAt, next)) return undefined;
      labelAt = next;
    }
  }
  return closeName(into, at, labelAt, next, undefined);
}

/** Any name, given as the UTF-8 bytes source[from, to). A name without a final dot is relative to the origin, if there is one. */
export function writeName(
  source: Uint8Array,
  from: number,
  to: number,
  into: Uint8Array,
  at: number,
  origin?: WireName,
): number | undefined {
  if (from === to) return undefined;
  if (to - from === 1) {
    if (source[from] === dot) return closeWith(rootSuffix, into, at, at);
    if (source[from] === atSign && origin) return closeWith(origin, into, at, at);
  }
  let labelAt = at;
  let next = at + 1;
  for (let index = from; index < to; next++) {
    let byte = source[index];
    if (byte === dot) {
      if (!closeLabel(into, labelAt, next)) return undefined;
      labelAt = next;
      index += 1;
      continue;
    }
    const isEscape = byte === backslash;
    if (isEscape) byte = escapedByte(source, index, to);
    if (byte === undefined || next - at >= nameBytesMax) return undefined;
    into[next] = lowerByte[byte] as number;
    index += isEscape ? escapeWidth(source, index) : 1;
  }
  return closeName(into, at, labelAt, next, origin);
}

function closeLabel(into: Uint8Array, labelAt: number, next: number): boolean {
  const length = next - labelAt - 1;
  if (length === 0 || length > labelBytesMax) return false;
  into[labelAt] = length;
  restoreFoldedLabel(into, labelAt);
  return true;
}

/** Without a final dot the last label is still open, and the name relative. */
function closeName(
  into: Uint8Array,
  at: number,
  labelAt: number,
  next: number,
  origin: WireName | undefined,
): number | undefined {
  if (next - labelAt === 1) return closeWith(rootSuffix, into, at, labelAt);
  if (!closeLabel(into, labelAt, next)) return undefined;
  return closeWith(origin ?? rootSuffix, into, at, next);
}

const rootSuffix = new Uint8Array(1);

function closeWith(suffix: WireName, into: Uint8Array, at: number, suffixAt: number): number | undefined {
  const end = suffixAt + suffix.length;
  if (end - at > nameBytesMax) return undefined;
  for (let index = 0; index < suffix.length; index++) into[suffixAt + index] = suffix[index] as number;
  return end;
}
