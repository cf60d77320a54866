/**
 * Domain names: presentation form at the boundaries, lower-case wire form inside. Imports and responses call this millions of
 * times, so names are assembled in shared scratch buffers; results are always copies.
 */
import { escapeTable, putEscaped } from './escape.ts';
import type { WireName } from './rrset.ts';
import { labelBytesMax, nameBytesMax, writeName, writePlainName } from './write-name.ts';

const [dot, space] = [0x2e, 0x20];

export const rootName: WireName = new Uint8Array(1);

const wireScratch = new Uint8Array(2 * nameBytesMax);
const utf8 = new TextEncoder();
/** A byte of a name takes at most four characters, so a longer text cannot be a name. */
export const nameTextMax = 4 * nameBytesMax;

/**
 * Presentation to wire: ignores case, final dot optional, `.` for the root, escapes `\X` and `\DDD`, other characters as their
 * UTF-8 bytes. Undefined for an invalid name.
 */
export function parseName(text: string): WireName | undefined {
  let end = writePlainName(text, 0, text.length, wireScratch, 0);
  if (end === undefined && text.length <= nameTextMax) {
    const source = utf8.encode(text);
    end = writeName(source, 0, source.length, wireScratch, 0);
  }
  return end === undefined ? undefined : wireScratch.slice(0, end);
}

const nameEscapes = escapeTable('."\\();@$', space + 1);
const textScratch = Buffer.alloc(nameTextMax);

/** Wire to presentation, with the final dot. Of an incomplete name, as much as there is. */
export function nameText(bytes: Uint8Array, at = 0): string {
  return textScratch.toString('latin1', 0, putNameText(bytes, at, textScratch));
}

/** The same as bytes of ASCII, at most `nameTextMax`; gives their number. */
export function putNameText(bytes: Uint8Array, at: number, into: Uint8Array): number {
  let length = 0;
  let offset = at;
  while (offset < bytes.length) {
    const size = bytes[offset] as number;
    const next = offset + 1 + size;
    if (size === 0 || size > labelBytesMax || next > bytes.length || next - at >= nameBytesMax) break;
    for (offset += 1; offset < next; offset++) {
      const byte = bytes[offset] as number;
      if (nameEscapes[byte] === 0) into[length++] = byte;
      else length = putEscaped(byte, nameEscapes, into, length);
    }
    into[length++] = dot;
  }
  if (length === 0) into[length++] = dot;
  return length;
}

/**
 * The length of the uncompressed name at `at`, including its final zero; undefined where it is invalid (a pointer, no end, more
 * than 255 bytes).
 */
export function nameLength(bytes: Uint8Array, at: number): number | undefined {
  const end = Math.min(bytes.length, at + nameBytesMax);
  for (let offset = at; offset < end; ) {
    const size = bytes[offset] as number;
    if (size === 0) return offset + 1 - at;
    if (size > labelBytesMax) return undefined;
    offset += 1 + size;
  }
  return undefined;
}

/** Whether `name` is `zone` or below it. */
export function isAtOrBelow(name: WireName, zone: WireName): boolean {
  const suffixAt = name.length - zone.length;
  let offset = 0;
  while (offset < suffixAt) offset += 1 + (name[offset] as number);
  if (offset !== suffixAt) return false;
  for (let index = 0; index < zone.length; index++) {
    if (name[suffixAt + index] !== zone[index]) return false;
  }
  return true;
}
