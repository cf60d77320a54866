/**
 * Keeps the cache directory within its bound: first files that are not open, the oldest first, then all files of the kind of table that was not read for the
 * longest time. A lookup reads the tables of one kind in all segments, so a part of a kind is of no use.
 */
import { extname } from 'node:path';
import type { TableName } from '../../rrset/segment/segment-files.ts';
import type { CachedFile, TableCache } from './table-cache.ts';

export interface RoomNeeds {
  readonly cache: TableCache;
  readonly bytesMax: number;
  /** The kinds of tables that may be closed, in the order of their last use. */
  readonly byUse: readonly TableName[];
  readonly isOpen: (path: string) => boolean;
}

export interface RoomMade {
  readonly closed: readonly TableName[];
  readonly excessBytes: number;
}

export async function makeRoom({ cache, bytesMax, byUse, isOpen }: RoomNeeds): Promise<RoomMade> {
  const files = cache.listFiles();
  let excessBytes = files.reduce((sum, { bytes }) => sum + bytes, 0) - bytesMax;
  const remove = async (file: CachedFile) => {
    await cache.discard(file.path);
    excessBytes -= file.bytes;
  };
  const idle = files.filter(({ path }) => !isOpen(path) && !cache.isHeld(path));
  for (const file of idle.toSorted((left, right) => left.modifiedMs - right.modifiedMs)) {
    if (excessBytes <= 0) break;
    await remove(file);
  }
  const closed: TableName[] = [];
  for (const table of byUse) {
    if (excessBytes <= 0) break;
    closed.push(table);
    for (const file of files) if (extname(file.path) === `.${table}` && isOpen(file.path)) await remove(file);
  }
  return { closed, excessBytes };
}
