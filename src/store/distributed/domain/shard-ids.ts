/**
 * Records may be spread over several databases, by a hash of their domain. Each shard numbers its domains from 1; the id of a domain is that number and, in
 * the upper bits, the number of the shard. The first shard's ids are its own numbers.
 */
import { crc32 } from 'node:zlib';
import { chunkIds } from '../../domain/id-chunk.ts';
import type { DomainId } from '../../domain-store.ts';

/** Room for so many domains in a shard; 4096 shards fit into the integers of JavaScript. */
const shardIds = 2 ** 40;

export function shardOfName(name: string, shards: number): number {
  return shards === 1 ? 0 : crc32(name) % shards;
}

export function shardOfId(id: DomainId): number {
  return Math.floor(id / shardIds);
}

export function localId(id: DomainId): DomainId {
  return id % shardIds;
}

export function globalId(shard: number, local: DomainId): DomainId {
  return shard * shardIds + local;
}

/** Of a chunk of ids of a shard. */
export function globalChunk(shard: number, chunk: number): number {
  return (shard * shardIds) / chunkIds + chunk;
}

/** The local ids of each shard. Ids of shards that do not exist are left out. */
export function idsByShard(ids: readonly DomainId[], shards: number): readonly (readonly DomainId[])[] {
  const grouped = Array.from({ length: shards }, (): DomainId[] => []);
  for (const id of ids) grouped[shardOfId(id)]?.push(localId(id));
  return grouped;
}
