/**
 * Domain names: presentation at the edge, lower-case wire form inside. Every import and every answer goes through here
 * millions of times, so names are put together in shared scratch buffers; no result ever points into them.
 */
import { escapeTable, putEscaped } from './escape.ts';
import type { WireName } from './rrset.ts';
import { labelBytesMax, nameBytesMax, writeName, writePlainName } from './write-name.ts';

const [dot, space] = [0x2e, 0x20];

export const rootName: WireName = new Uint8Array(1);

const wireScratch = new Uint8Array(2 * nameBytesMax);
const utf8 = new TextEncoder();
/** Every byte of a name takes at most four characters, so a longer text is none. */
const nameTextMax = 4 * nameBytesMax;

/**
 * Presentation to wire: any letter case, final dot optional, `.` for the root, escapes `\X` and `\DDD`, other characters
 * as their UTF-8 bytes. Undefined for what is no name.
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

/** Wire to presentation, with the final dot. Bytes that are no whole name are shown as far as they are one. */
export function nameText(bytes: Uint8Array, at = 0): string {
  let length = 0;
  let place = at;
  while (place < bytes.length) {
    const size = bytes[place] as number;
    const next = place + 1 + size;
    if (size === 0 || size > labelBytesMax || next > bytes.length || next - at >= nameBytesMax) break;
    for (place += 1; place < next; place++) {
      const byte = bytes[place] as number;
      if (nameEscapes[byte] === 0) textScratch[length++] = byte;
      else length = putEscaped(byte, nameEscapes, textScratch, length);
    }
    textScratch[length++] = dot;
  }
  return length === 0 ? '.' : textScratch.toString('latin1', 0, length);
}

/**
 * How many bytes the uncompressed name at `at` takes, its final zero included; undefined where there is none (a pointer,
 * no end, more than 255 bytes).
 */
export function nameLength(bytes: Uint8Array, at: number): number | undefined {
  const end = Math.min(bytes.length, at + nameBytesMax);
  for (let place = at; place < end; ) {
    const size = bytes[place] as number;
    if (size === 0) return place + 1 - at;
    if (size > labelBytesMax) return undefined;
    place += 1 + size;
  }
  return undefined;
}

/** Whether `name` is `zone` or below it. */
export function isAtOrBelow(name: WireName, zone: WireName): boolean {
  const suffixAt = name.length - zone.length;
  let place = 0;
  while (place < suffixAt) place += 1 + (name[place] as number);
  if (place !== suffixAt) return false;
  for (let index = 0; index < zone.length; index++) {
    if (name[suffixAt + index] !== zone[index]) return false;
  }
  return true;
}
