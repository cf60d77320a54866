/**
 * Letter case inside labels: ASCII letters are kept in lower case. One label is the exception: `_WILDCARD_`, which stands
 * for names that were folded into one, is kept in upper case so that no name from the wire can be taken for it.
 */

const [upperA, upperZ, underscore] = [0x41, 0x5a, 0x5f];
const foldedLabel = '_wildcard_';

/** Each byte as it is kept. */
export const lowerByte = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= upperA && byte <= upperZ ? byte + 32 : byte,
);

/** To be called for each label that was written in lower case, length byte first. */
export function keepFoldedLabel(bytes: Uint8Array, at: number): void {
  if (bytes[at] !== foldedLabel.length || bytes[at + 1] !== underscore) return;
  for (let index = 0; index < foldedLabel.length; index++) {
    if (bytes[at + 1 + index] !== foldedLabel.charCodeAt(index)) return;
  }
  for (let index = 1; index < foldedLabel.length - 1; index++) {
    bytes[at + 1 + index] = (bytes[at + 1 + index] as number) - 32;
  }
}
