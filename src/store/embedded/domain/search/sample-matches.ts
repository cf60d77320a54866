/** A sample of the matches of a search, at a bounded cost: from a few chunks of ids, evenly spread over all of them. */

import { lowsOf, rangeChunk } from '../../../domain/id-chunk.ts';
import { evenly, sampledIds } from '../../../domain/search/sampled-ids.ts';
import type { Ids } from '../../../domain/search/sorted-ids.ts';
import type { DomainId } from '../../../domain-store.ts';
import { chunksOf } from './count-matches.ts';
import type { MatchSource } from './match-source.ts';

const chunksMax = 8;

export function sampleOf(source: MatchSource, lastId: DomainId, limit: number): Ids {
  const found = evenly(Array.from(chunksOf(source, lastId)), chunksMax).map((chunk) => ({
    chunk,
    lows: lowsOf(source.narrow(chunk, rangeChunk(chunk, 1, lastId))),
  }));
  return Int32Array.from(sampledIds(found, limit));
}
