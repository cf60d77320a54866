/** A sample of the matches of a search, at a bounded cost: from a few chunks of ids, evenly spread over all of them. */
import type { DomainId } from '../../../domain-store.ts';
import { chunkIds, lowsOf, rangeChunk } from '../id-chunk.ts';
import { chunksOf } from './count-matches.ts';
import type { MatchSource } from './match-source.ts';
import type { Ids } from './sorted-ids.ts';

const chunksMax = 8;

export function sampleOf(source: MatchSource, lastId: DomainId, limit: number): Ids {
  const found = evenly(Array.from(chunksOf(source, lastId)), chunksMax).map((chunk) => ({
    chunk,
    lows: lowsOf(source.narrow(chunk, rangeChunk(chunk, 1, lastId))),
  }));
  const total = found.reduce((sum, { lows }) => sum + lows.length, 0);
  // Every n-th of the matches together, so that each chunk has its share.
  const step = Math.max(1, total / limit);
  const ids: DomainId[] = [];
  let [passed, next] = [0, 0];
  for (const { chunk, lows } of found) {
    for (; ids.length < limit && Math.floor(next) < passed + lows.length; next += step)
      ids.push(chunk * chunkIds + (lows[Math.floor(next) - passed] as number));
    passed += lows.length;
  }
  return Int32Array.from(ids);
}

function evenly<Item>(items: readonly Item[], max: number): readonly Item[] {
  if (items.length <= max) return items;
  return Array.from({ length: max }, (_, at) => items[Math.floor((at * items.length) / max)] as Item);
}
