/** A short posting list as it is stored: a single id as an integer, more as delta-encoded varints. Most values have a single id. */
import type { DomainId } from '../domain-store.ts';
import { readVarint, varintEnd, writeVarint } from '../varint.ts';

export type StoredIds = number | Buffer;

const idBytesMax = 5;
/** A buffer of the pool costs a fraction of one of its own, and its length has to be known. */
let scratch = Buffer.allocUnsafeSlow(1024);

export function encodeIds(ids: readonly DomainId[]): StoredIds {
  return ids.length === 1 ? (ids[0] as DomainId) : encodedIds(ids);
}

/** The same, of any number of ids. */
export function encodedIds(ids: readonly DomainId[]): Buffer {
  if (ids.length * idBytesMax > scratch.length) scratch = Buffer.allocUnsafeSlow(ids.length * idBytesMax * 2);
  let end = 0;
  let previous = 0;
  for (const id of ids) {
    end = writeVarint(scratch, end, id - previous);
    previous = id;
  }
  const bytes = Buffer.allocUnsafe(end);
  scratch.copy(bytes, 0, 0, end);
  return bytes;
}

export function decodeIds(stored: StoredIds): DomainId[] {
  if (typeof stored === 'number') return [stored];
  const ids: DomainId[] = [];
  let id = 0;
  for (let at = 0; at < stored.length; at = varintEnd(stored, at)) {
    id += readVarint(stored, at);
    ids.push(id);
  }
  return ids;
}
