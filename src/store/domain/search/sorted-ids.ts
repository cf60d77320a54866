/** Sorts ids by name or by number. Names are read in one batch, and only for ids that the number does not order. */
import type { DomainId } from '../../domain-store.ts';
import { indexesBelow, sortedIndexesOfNumbers } from './radix-sort.ts';

export type Ids = Int32Array<ArrayBuffer>;

type NamesOf = (ids: readonly DomainId[]) => readonly string[];

export function sortedByName(ids: Ids, descending: boolean, namesOf: NamesOf): Ids {
  const names = namesOf(Array.from(ids));
  const sign = descending ? -1 : 1;
  const indexes = indexesBelow(ids.length);
  return idsAt(
    ids,
    indexes.sort((left, right) => sign * compare(names[left], names[right])),
  );
}

/** By the number of each id, ties by name. Ids without one (NaN) come last in both directions. */
export function sortedByNumber(ids: Ids, numbers: Float64Array, descending: boolean, namesOf: NamesOf): Ids {
  // Adding zero normalises negative zero.
  const keys = numbers.map((number) =>
    Number.isNaN(number) ? Infinity : descending ? 0 - number : number + 0,
  );
  const indexes = sortedIndexesOfNumbers(keys);
  const ties = tiesOf(indexes, keys);
  if (ties.length > 0) {
    const names = namesAt(ties, ids, namesOf);
    for (const tie of ties) sortByName(tie, names);
  }
  return idsAt(ids, indexes);
}

/** Most ties are short: insertion sort is faster for them. */
const insertionSortMax = 12;

function sortByName(tie: Uint32Array, names: readonly string[]): void {
  if (tie.length > insertionSortMax) {
    tie.sort((left, right) => compare(names[left], names[right]));
    return;
  }
  for (let end = 1; end < tie.length; end += 1) {
    const index = tie[end] as number;
    const name = names[index] as string;
    let at = end;
    for (; at > 0 && compare(names[tie[at - 1] as number], name) > 0; at -= 1)
      tie[at] = tie[at - 1] as number;
    tie[at] = index;
  }
}

/** Ranges of indexes with the same number, as views of the array, to be sorted in place. */
function tiesOf(indexes: Uint32Array, keys: Float64Array): readonly Uint32Array[] {
  const ties: Uint32Array[] = [];
  for (let from = 0; from < indexes.length; ) {
    const key = keys[indexes[from] as number];
    let end = from + 1;
    while (end < indexes.length && keys[indexes[end] as number] === key) end += 1;
    if (end - from > 1) ties.push(indexes.subarray(from, end));
    from = end;
  }
  return ties;
}

/** The names of the ids in ties, at their indexes. */
function namesAt(ties: readonly Uint32Array[], ids: Ids, namesOf: NamesOf): readonly string[] {
  const isWanted = new Uint8Array(ids.length);
  for (const tie of ties) for (const index of tie) isWanted[index] = 1;
  const wanted: DomainId[] = [];
  for (let index = 0; index < ids.length; index += 1)
    if (isWanted[index] === 1) wanted.push(ids[index] as DomainId);
  const found = namesOf(wanted);
  let next = 0;
  const names: string[] = [];
  for (let index = 0; index < ids.length; index += 1)
    names.push(isWanted[index] === 1 ? (found[next++] as string) : '');
  return names;
}

function idsAt(ids: Ids, indexes: Uint32Array): Ids {
  const found = new Int32Array(indexes.length);
  for (let at = 0; at < indexes.length; at += 1) found[at] = ids[indexes[at] as number] as DomainId;
  return found;
}

function compare(left = '', right = ''): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
