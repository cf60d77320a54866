/** Sorts the matches of all shards together. */
import { indexesBelow } from '../../../domain/search/radix-sort.ts';
import { sortedByName, sortedByNumber } from '../../../domain/search/sorted-ids.ts';
import type { DomainId, SortOrder } from '../../../domain-store.ts';
import type { SortKey } from '../column-rows.ts';
import { globalId } from '../shard-ids.ts';

/** One for each match of a shard, in no order. */
export type FoundKeys = readonly FoundKey[];

export type FoundKey = Omit<SortKey, 'version'>;

export function sortedMatches(
  found: readonly FoundKeys[],
  { by, descending }: SortOrder,
): readonly DomainId[] {
  const keys = found.flat();
  const ids = found.flatMap((ofShard, shard) => ofShard.map(({ id }) => globalId(shard, id)));
  if (ids.length < 2) return ids;
  const positions = Int32Array.from(indexesBelow(keys.length));
  const namesOf = (some: readonly number[]) => some.map((at) => (keys[at] as FoundKey).name);
  const order =
    by === 'domain'
      ? sortedByName(positions, descending, namesOf)
      : sortedByNumber(positions, Float64Array.from(keys, numberOf), descending, namesOf);
  return Array.from(order, (at) => ids[at] as DomainId);
}

function numberOf({ number }: FoundKey): number {
  return number?.readDoubleLE(0) ?? Number.NaN;
}
