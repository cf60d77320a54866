/**
 * The order of keys: bytewise lexicographic, and little-endian integers. Loops of our own beat native calls for short keys. Here and in the other files of
 * this folder, functions that run once per entry have positional parameters, however many: an options object for each call
 * would be the largest part of the allocations.
 */

export function compareBytes(
  left: Uint8Array,
  leftLength: number,
  right: Uint8Array,
  rightLength: number,
): number {
  const common = leftLength < rightLength ? leftLength : rightLength;
  for (let index = 0; index < common; index += 1) {
    const difference = (left[index] as number) - (right[index] as number);
    if (difference !== 0) return difference;
  }
  return leftLength - rightLength;
}

/** The length of the prefix that two keys have in common. */
export function sharedPrefix(
  left: Uint8Array,
  leftLength: number,
  right: Uint8Array,
  rightLength: number,
): number {
  const common = leftLength < rightLength ? leftLength : rightLength;
  let shared = 0;
  while (shared < common && left[shared] === right[shared]) shared += 1;
  return shared;
}

export function startsWith(key: Uint8Array, length: number, prefix: Uint8Array): boolean {
  if (length < prefix.length) return false;
  for (let index = 0; index < prefix.length; index += 1) {
    if (key[index] !== prefix[index]) return false;
  }
  return true;
}

export function copyBytes(
  from: Uint8Array,
  start: number,
  length: number,
  into: Uint8Array,
  at: number,
): number {
  if (length > 64) into.set(from.subarray(start, start + length), at);
  else for (let index = 0; index < length; index += 1) into[at + index] = from[start + index] as number;
  return at + length;
}

export function readUint32(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)) >>>
    0
  );
}

export function writeUint32(value: number, into: Uint8Array, at: number): void {
  into[at] = value & 0xff;
  into[at + 1] = (value >>> 8) & 0xff;
  into[at + 2] = (value >>> 16) & 0xff;
  into[at + 3] = value >>> 24;
}
