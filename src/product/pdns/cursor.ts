/**
 * A cursor is a position in the results of one query, as opaque text for the client to send back. It begins with a digest of what
 * determines the order, so that a cursor of another query is rejected.
 */
import { hash } from 'node:crypto';
import type { Position } from '../../store/rrset-store.ts';

export type Order = 'store' | 'newest';

/**
 * Where the next page begins: `skipped` rows after a row, which is identified by its position in the store and, when sorted by
 * time, its time. Without a position, `skipped` rows after the beginning.
 */
export interface CursorPosition {
  readonly position: Position | undefined;
  readonly lastSeconds: number;
  readonly skipped: number;
}

/** What determines the order of the results. */
export interface Ordering {
  readonly path: readonly string[];
  readonly merged: boolean;
  readonly order: Order;
}

const digestBytes = 8;
const secondsBytes = 6;
const skippedBytes = 6;
const headBytes = digestBytes + secondsBytes + skippedBytes;
/**
 * Keeps a cursor within the usual limits of headers and request lines, and its number below 4,300 digits, which is as many as
 * `int()` of Python reads.
 */
export const positionBytesMax = 1700;

const textCharactersMax = Math.ceil(((headBytes + positionBytesMax) * 4) / 3);

export function cursorText(ordering: Ordering, cursor: CursorPosition): string {
  const position = cursor.position ?? new Uint8Array();
  const bytes = Buffer.alloc(headBytes + position.length);
  bytes.set(digestOf(ordering));
  bytes.writeUIntBE(Math.max(0, cursor.lastSeconds), digestBytes, secondsBytes);
  bytes.writeUIntBE(cursor.skipped, digestBytes + secondsBytes, skippedBytes);
  bytes.set(position, headBytes);
  return bytes.toString('base64url');
}

/** Undefined for anything that is not a cursor of this query. */
export function readCursor(text: string, ordering: Ordering): CursorPosition | undefined {
  if (text.length > textCharactersMax || !/^[\w-]+$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length < headBytes || !bytes.subarray(0, digestBytes).equals(digestOf(ordering)))
    return undefined;
  return {
    position: bytes.length === headBytes ? undefined : new Uint8Array(bytes.subarray(headBytes)),
    lastSeconds: bytes.readUIntBE(digestBytes, secondsBytes),
    skipped: bytes.readUIntBE(digestBytes + secondsBytes, skippedBytes),
  };
}

function digestOf({ path, merged, order }: Ordering): Buffer {
  return hash('sha256', JSON.stringify([path, merged, order]), 'buffer').subarray(0, digestBytes);
}

/** A cursor as a decimal number. A leading 1 keeps the zeros that its bytes may begin with. */
export function cursorNumber(text: string): string {
  return BigInt(`0x01${Buffer.from(text, 'base64url').toString('hex')}`).toString();
}

/** The cursor of a number; undefined for anything that `cursorNumber` does not return. */
export function cursorOfNumber(digits: string): string | undefined {
  if (!/^\d{1,4300}$/.test(digits)) return undefined;
  const hex = BigInt(digits).toString(16);
  return hex.startsWith('1') && hex.length % 2 === 1
    ? Buffer.from(hex.slice(1), 'hex').toString('base64url')
    : undefined;
}
