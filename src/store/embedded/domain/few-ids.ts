/** A few ids as they are stored: a single one as it is, more as differences in seven bits a byte. Most values have a single one. */
import type { DomainId } from '../../domain-store.ts';
import { readVarint, varintEnd, writeVarint } from '../rrset/varint.ts';

export type StoredIds = number | Buffer;

export function storedIds(ids: readonly DomainId[]): StoredIds {
  if (ids.length === 1) return ids[0] as DomainId;
  const bytes = Buffer.alloc(ids.length * 5);
  let end = 0;
  let before = 0;
  for (const id of ids) {
    end = writeVarint(bytes, end, id - before);
    before = id;
  }
  return bytes.subarray(0, end);
}

export function readStoredIds(stored: StoredIds): DomainId[] {
  if (typeof stored === 'number') return [stored];
  const ids: DomainId[] = [];
  let id = 0;
  for (let at = 0; at < stored.length; at = varintEnd(stored, at)) {
    id += readVarint(stored, at);
    ids.push(id);
  }
  return ids;
}
