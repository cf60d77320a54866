/** Backslash escapes of the presentation form: `\X` for the character X itself, `\DDD` for a byte in three decimal digits. */

/** For each byte: 0 as itself, 1 after a backslash, 2 as three digits. */
export type EscapeTable = Uint8Array;

export const backslash = 0x5c;
const [zero, nine, space, del] = [0x30, 0x39, 0x20, 0x7f];

/** Control characters and non-ASCII bytes as digits; `special` after a backslash. */
export function escapeTable(special: string, firstPlain = space): EscapeTable {
  const table = new Uint8Array(256).fill(2);
  table.fill(0, firstPlain, del);
  for (let index = 0; index < special.length; index++) table[special.charCodeAt(index)] = 1;
  return table;
}

/** Writes one byte, as at most four characters, and returns the end. */
export function putEscaped(byte: number, escapes: EscapeTable, into: Uint8Array, at: number): number {
  const style = escapes[byte];
  if (style === 0) {
    into[at] = byte;
    return at + 1;
  }
  into[at] = backslash;
  if (style === 1) {
    into[at + 1] = byte;
    return at + 2;
  }
  into[at + 1] = zero + Math.trunc(byte / 100);
  into[at + 2] = zero + (Math.trunc(byte / 10) % 10);
  into[at + 3] = zero + (byte % 10);
  return at + 4;
}

/** The length of the escape whose backslash is at `at`. */
export function escapeWidth(bytes: Uint8Array, at: number): 2 | 4 {
  return isDigit(bytes[at + 1]) ? 4 : 2;
}

/** The byte that the escape at `at` denotes; undefined where it does not end before `end`. */
export function escapedByte(bytes: Uint8Array, at: number, end: number): number | undefined {
  if (at + escapeWidth(bytes, at) > end) return undefined;
  const first = bytes[at + 1] as number;
  if (!isDigit(first)) return first;
  const [second, third] = [bytes[at + 2] as number, bytes[at + 3] as number];
  if (!isDigit(second) || !isDigit(third)) return undefined;
  const byte = (first - zero) * 100 + (second - zero) * 10 + third - zero;
  return byte > 255 ? undefined : byte;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= nine;
}
