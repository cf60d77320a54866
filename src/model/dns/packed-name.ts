/** Names inside a DNS message, where the rest of a name may be a pointer to an earlier place (RFC 1035, section 4.1.4). */
import { keepFoldedLabel, lowerByte } from './label-case.ts';
import { labelBytesMax, nameBytesMax } from './write-name.ts';

const pointerBits = 0xc0;
/** No writer needs more pointers in one name than a name can have labels. */
const pointersMax = 127;

/** Where the name at `at` ends in place, behind its zero or its pointer; undefined when that is not before `end`. */
export function packedNameEnd(message: Uint8Array, at: number, end: number): number | undefined {
  const last = Math.min(end, message.length);
  let place = at;
  while (place < last) {
    const size = message[place] as number;
    if (size === 0) return place + 1;
    if (size >= pointerBits) return place + 2 <= last ? place + 2 : undefined;
    if (size > labelBytesMax) return undefined;
    place += 1 + size;
  }
  return undefined;
}

/**
 * Writes the whole name at `at` in lower case and gives the end; `into` must have 255 bytes left. A pointer must lead to
 * before the piece of name that it ends, so nothing is read in circles. Undefined when malformed.
 */
export function expandName(
  message: Uint8Array,
  at: number,
  into: Uint8Array,
  intoAt: number,
): number | undefined {
  let place = at;
  let pieceStart = at;
  let pointers = 0;
  let length = intoAt;
  while (place < message.length) {
    const size = message[place] as number;
    if (size >= pointerBits) {
      const low = message[place + 1];
      pointers += 1;
      if (low === undefined || pointers > pointersMax) return undefined;
      place = ((size - pointerBits) << 8) | low;
      if (place >= pieceStart) return undefined;
      pieceStart = place;
      continue;
    }
    const next = place + 1 + size;
    if (size > labelBytesMax || next > message.length || length + 1 + size - intoAt > nameBytesMax) {
      return undefined;
    }
    const labelAt = length;
    // A length is below every letter, so it may go through the same table.
    for (; place < next; place++) into[length++] = lowerByte[message[place] as number] as number;
    if (size === 0) return length;
    keepFoldedLabel(into, labelAt);
  }
  return undefined;
}
