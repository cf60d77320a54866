/** Counts the matches of a search in parts, so that other searches of the thread need not wait for all of it. */

import { cardinality, chunkOf, rangeChunk } from '../../../domain/id-chunk.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { MatchSource } from './match-source.ts';

export interface CountedPart {
  readonly matches: number;
  /** Where the next part starts; undefined where all is counted. */
  readonly nextChunk: number | undefined;
}

const chunksPerPart = 8;

export function countPart(source: MatchSource, lastId: DomainId, fromChunk: number): CountedPart {
  const chunks = Array.from(chunksOf(source, lastId)).filter((chunk) => chunk >= fromChunk);
  let matches = 0;
  for (const chunk of chunks.slice(0, chunksPerPart))
    matches += cardinality(source.narrow(chunk, rangeChunk(chunk, 1, lastId)));
  return { matches, nextChunk: chunks[chunksPerPart] };
}

/** The chunks that may have matches, in ascending order. */
export function chunksOf(source: MatchSource, lastId: DomainId): Iterable<number> {
  return source.chunks?.() ?? Array.from({ length: chunkOf(lastId) + 1 }, (_, chunk) => chunk);
}
