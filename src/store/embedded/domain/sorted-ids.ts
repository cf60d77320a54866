/** Ids in an order. Names are looked up together, in the order of ids, and for those alone that nothing else tells apart. */
import type { DomainId } from '../../domain-store.ts';
import { orderOfNumbers, placesOf } from './key-order.ts';

export type Ids = Int32Array<ArrayBuffer>;

type NamesOf = (ids: readonly DomainId[]) => readonly string[];

export function sortedByName(ids: Ids, descending: boolean, namesOf: NamesOf): Ids {
  const names = namesOf(Array.from(ids));
  const sign = descending ? -1 : 1;
  const places = placesOf(ids.length);
  return idsAt(
    ids,
    places.sort((left, right) => sign * compare(names[left], names[right])),
  );
}

/** By a number for each id, equal ones by name. What has none (NaN) comes last, whichever way is up. */
export function sortedByNumber(ids: Ids, numbers: Float64Array, descending: boolean, namesOf: NamesOf): Ids {
  // Zero has one sign alone.
  const keys = numbers.map((number) =>
    Number.isNaN(number) ? Infinity : descending ? 0 - number : number + 0,
  );
  const places = orderOfNumbers(keys);
  const runs = runsOf(places, keys);
  if (runs.length > 0) {
    const names = namesAt(runs, ids, namesOf);
    for (const run of runs) sortByName(run, names);
  }
  return idsAt(ids, places);
}

/** Most runs are of a few places, which are sooner put in than sorted. */
const fewPlaces = 12;

function sortByName(run: Uint32Array, names: readonly string[]): void {
  if (run.length > fewPlaces) {
    run.sort((left, right) => compare(names[left], names[right]));
    return;
  }
  for (let end = 1; end < run.length; end += 1) {
    const place = run[end] as number;
    const name = names[place] as string;
    let at = end;
    for (; at > 0 && compare(names[run[at - 1] as number], name) > 0; at -= 1)
      run[at] = run[at - 1] as number;
    run[at] = place;
  }
}

/** Stretches of places that have the same number: parts of the array, to be sorted where they are. */
function runsOf(places: Uint32Array, keys: Float64Array): readonly Uint32Array[] {
  const runs: Uint32Array[] = [];
  for (let from = 0; from < places.length; ) {
    const key = keys[places[from] as number];
    let end = from + 1;
    while (end < places.length && keys[places[end] as number] === key) end += 1;
    if (end - from > 1) runs.push(places.subarray(from, end));
    from = end;
  }
  return runs;
}

/** Names of the ids of some places, at the same places. */
function namesAt(runs: readonly Uint32Array[], ids: Ids, namesOf: NamesOf): readonly string[] {
  const isWanted = new Uint8Array(ids.length);
  for (const run of runs) for (const place of run) isWanted[place] = 1;
  const wanted: DomainId[] = [];
  for (let place = 0; place < ids.length; place += 1)
    if (isWanted[place] === 1) wanted.push(ids[place] as DomainId);
  const found = namesOf(wanted);
  let next = 0;
  const names: string[] = [];
  for (let place = 0; place < ids.length; place += 1)
    names.push(isWanted[place] === 1 ? (found[next++] as string) : '');
  return names;
}

function idsAt(ids: Ids, places: Uint32Array): Ids {
  const found = new Int32Array(places.length);
  for (let at = 0; at < places.length; at += 1) found[at] = ids[places[at] as number] as DomainId;
  return found;
}

function compare(left = '', right = ''): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
