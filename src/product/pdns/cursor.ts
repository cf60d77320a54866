/**
 * A cursor is a place in the answer to one question, as text for the client to hand back. It begins with a digest of what
 * decides the order, so that a cursor of another question is told from a place of this one.
 */
import { hash } from 'node:crypto';
import type { Position } from '../../store/rrset-store.ts';

export type Order = 'store' | 'newest';

/**
 * Where an answer goes on: so many rows behind a row, which is told by its position in the store and, where the newest come
 * first, its time. Without a position it is so many rows behind the beginning.
 */
export interface Place {
  readonly position: Position | undefined;
  readonly lastSeconds: number;
  readonly skipped: number;
}

/** What decides the order of an answer. */
export interface Ordering {
  readonly path: readonly string[];
  readonly merged: boolean;
  readonly order: Order;
}

const digestBytes = 8;
const secondsBytes = 6;
const skippedBytes = 6;
const headBytes = digestBytes + secondsBytes + skippedBytes;
/** So that a cursor fits into any header and request line. */
export const positionBytesMax = 4000;

export function cursorText(ordering: Ordering, place: Place): string {
  const position = place.position ?? new Uint8Array();
  const bytes = Buffer.alloc(headBytes + position.length);
  bytes.set(digestOf(ordering));
  bytes.writeUIntBE(Math.max(0, place.lastSeconds), digestBytes, secondsBytes);
  bytes.writeUIntBE(place.skipped, digestBytes + secondsBytes, skippedBytes);
  bytes.set(position, headBytes);
  return bytes.toString('base64url');
}

/** Undefined for what is no cursor of this question. */
export function readCursor(text: string, ordering: Ordering): Place | undefined {
  if (text.length > 2 * positionBytesMax || !/^[\w-]+$/.test(text)) return undefined;
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
