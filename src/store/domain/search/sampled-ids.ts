/** Samples evenly. */
import type { DomainId } from '../../domain-store.ts';
import { chunkIds } from '../id-chunk.ts';

/** Sorted lower bits of the ids of a chunk. */
export interface ChunkLows {
  readonly chunk: number;
  readonly lows: Uint16Array;
}

/** Every n-th of the matches together, so that each chunk has its share. */
export function sampledIds(found: readonly ChunkLows[], limit: number): readonly DomainId[] {
  const total = found.reduce((sum, { lows }) => sum + lows.length, 0);
  const step = Math.max(1, total / limit);
  const ids: DomainId[] = [];
  let [passed, next] = [0, 0];
  for (const { chunk, lows } of found) {
    for (; ids.length < limit && Math.floor(next) < passed + lows.length; next += step)
      ids.push(chunk * chunkIds + (lows[Math.floor(next) - passed] as number));
    passed += lows.length;
  }
  return ids;
}

export function evenly<Item>(items: readonly Item[], max: number): readonly Item[] {
  if (items.length <= max) return items;
  return Array.from({ length: max }, (_, at) => items[Math.floor((at * items.length) / max)] as Item);
}
