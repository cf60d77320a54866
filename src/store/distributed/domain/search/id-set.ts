/** Sets of ids, chunk by chunk. No chunk is empty. */
import {
  chunkIds,
  chunkOf,
  chunkOfLows,
  difference,
  type IdChunk,
  intersection,
  lowsOf,
  rangeChunk,
  union,
} from '../../../domain/id-chunk.ts';
import type { DomainId } from '../../../domain-store.ts';

export type IdSet = ReadonlyMap<number, IdChunk>;

export const noIds: IdSet = new Map();

/** All ids from 1 to the last one that are in these chunks. */
export function everyIdOf(chunks: Iterable<number>, lastId: DomainId): IdSet {
  const set = new Map<number, IdChunk>();
  for (const chunk of chunks) set.set(chunk, rangeChunk(chunk, 1, lastId));
  return set;
}

export function setOfIds(ids: Iterable<DomainId>): IdSet {
  const sorted = Int32Array.from(new Set(ids)).sort();
  const set = new Map<number, IdChunk>();
  for (let from = 0; from < sorted.length; ) {
    const chunk = chunkOf(sorted[from] as DomainId);
    let to = from + 1;
    while (to < sorted.length && chunkOf(sorted[to] as DomainId) === chunk) to += 1;
    // Only the lower bits fit.
    set.set(chunk, chunkOfLows(Uint16Array.from(sorted.subarray(from, to))));
    from = to;
  }
  return set;
}

export function intersectionOf(left: IdSet, right: IdSet): IdSet {
  return combined(left.keys(), (chunk) => {
    const [one, other] = [left.get(chunk), right.get(chunk)];
    return one && other ? intersection(one, other) : undefined;
  });
}

export function unionOf(left: IdSet, right: IdSet): IdSet {
  if (left.size === 0) return right;
  if (right.size === 0) return left;
  return combined(new Set([...left.keys(), ...right.keys()]), (chunk) => {
    const [one, other] = [left.get(chunk), right.get(chunk)];
    return one && other ? union(one, other) : (one ?? other);
  });
}

export function differenceOf(set: IdSet, removed: IdSet): IdSet {
  if (removed.size === 0) return set;
  return combined(set.keys(), (chunk) => {
    const [ids, gone] = [set.get(chunk) as IdChunk, removed.get(chunk)];
    return gone ? difference(ids, gone) : ids;
  });
}

export function combined(chunks: Iterable<number>, of: (chunk: number) => IdChunk | undefined): IdSet {
  const set = new Map<number, IdChunk>();
  for (const chunk of chunks) {
    const ids = of(chunk);
    if (ids && ids.length > 0) set.set(chunk, ids);
  }
  return set;
}

/** In ascending order of chunks as they are in the set. */
export function* idsIn(set: IdSet): Generator<DomainId> {
  for (const [chunk, ids] of set) for (const low of lowsOf(ids)) yield chunk * chunkIds + low;
}
