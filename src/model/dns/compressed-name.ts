/** Name compression in DNS messages: the rest of a name may be a pointer to an earlier name (RFC 1035, section 4.1.4). */
import { lowerByte, restoreFoldedLabel } from './label-case.ts';
import { labelBytesMax, nameBytesMax } from './write-name.ts';

const pointerBits = 0xc0;
/** A name has at most 127 labels, so no encoder needs more pointers in one. */
const pointersMax = 127;

/** The end of the name at `at`, after its zero or its pointer; undefined when that is past `end`. */
export function compressedNameEnd(message: Uint8Array, at: number, end: number): number | undefined {
  const last = Math.min(end, message.length);
  let offset = at;
  while (offset < last) {
    const size = message[offset] as number;
    if (size === 0) return offset + 1;
    if (size >= pointerBits) return offset + 2 <= last ? offset + 2 : undefined;
    if (size > labelBytesMax) return undefined;
    offset += 1 + size;
  }
  return undefined;
}

/**
 * Decompresses the name at `at` in lower case and returns the end; `into` must have 255 bytes left. A pointer must lead to before
 * the labels that it follows, so there are no loops. Undefined when malformed.
 */
export function expandName(
  message: Uint8Array,
  at: number,
  into: Uint8Array,
  intoAt: number,
): number | undefined {
  let offset = at;
  let labelsStart = at;
  let pointers = 0;
  let length = intoAt;
  while (offset < message.length) {
    const size = message[offset] as number;
    if (size >= pointerBits) {
      const low = message[offset + 1];
      pointers += 1;
      if (low === undefined || pointers > pointersMax) return undefined;
      offset = ((size - pointerBits) << 8) | low;
      if (offset >= labelsStart) return undefined;
      labelsStart = offset;
      continue;
    }
    const next = offset + 1 + size;
    if (size > labelBytesMax || next > message.length || length + 1 + size - intoAt > nameBytesMax) {
      return undefined;
    }
    const labelAt = length;
    // A length byte is below every letter, so the table maps it to itself.
    for (; offset < next; offset++) into[length++] = lowerByte[message[offset] as number] as number;
    if (size === 0) return length;
    restoreFoldedLabel(into, labelAt);
  }
  return undefined;
}
