/**
 * Removes what may identify a client from a DNS message, so that it can be published. EDNS options carry its subnet, a cookie or
 * a device id, so every option but the extended error (RFC 8914) becomes padding (RFC 7830) of the same length, which keeps
 * compression pointers valid. Bytes after the last record are removed.
 */

import { compressedNameEnd } from './compressed-name.ts';
import { optType } from './message.ts';

export const extendedErrorOption = 15;
const paddingOption = 12;
const headerBytes = 12;

/** Returns a copy. The message must be one that `readMessage` accepts. */
export function concealClient(message: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(message);
  let at = headerBytes;
  for (let left = u16(copy, 4); left > 0; left--) at = nameEnd(copy, at) + 4;
  for (let left = u16(copy, 6) + u16(copy, 8) + u16(copy, 10); left > 0; left--) {
    const fieldsAt = nameEnd(copy, at);
    const rdataAt = fieldsAt + 10;
    at = rdataAt + u16(copy, fieldsAt + 8);
    if (u16(copy, fieldsAt) === optType) padOptions(copy, rdataAt, at);
  }
  return copy.subarray(0, at);
}

function padOptions(bytes: Uint8Array, from: number, end: number): void {
  for (let at = from; at < end; ) {
    const next = at + 4 + u16(bytes, at + 2);
    if (at + 4 > end || next > end) {
      bytes.fill(0, at, end);
      return;
    }
    if (u16(bytes, at) !== extendedErrorOption) {
      bytes[at] = 0;
      bytes[at + 1] = paddingOption;
      bytes.fill(0, at + 4, next);
    }
    at = next;
  }
}

function nameEnd(bytes: Uint8Array, at: number): number {
  return compressedNameEnd(bytes, at, bytes.length) ?? bytes.length;
}

/** Bytes past the end read as zero. */
function u16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}
