/**
 * Letter case in labels: ASCII letters are stored in lower case. The exception is the label `_WILDCARD_`, which represents names
 * that were folded into one: it is stored in upper case, so that no name from the wire can be confused with it.
 */

const [upperA, upperZ, underscore] = [0x41, 0x5a, 0x5f];
const foldedLabel = '_wildcard_';

/** Each byte as it is stored. */
export const lowerByte = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= upperA && byte <= upperZ ? byte + 32 : byte,
);

/** Call this for each lowercased label, with the offset of its length byte. */
export function restoreFoldedLabel(bytes: Uint8Array, at: number): void {
  if (bytes[at] !== foldedLabel.length || bytes[at + 1] !== underscore) return;
  for (let index = 0; index < foldedLabel.length; index++) {
    if (bytes[at + 1 + index] !== foldedLabel.charCodeAt(index)) return;
  }
  for (let index = 1; index < foldedLabel.length - 1; index++) {
    bytes[at + 1 + index] = (bytes[at + 1 + index] as number) - 32;
  }
}
