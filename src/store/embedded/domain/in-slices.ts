/** The same work for each of many things, a few milliseconds at a time: the event loop has a turn in between. */
import { setImmediate as turn } from 'node:timers/promises';

const sliceMs = 4;

/** `around` is called with the work of each slice: SQLite reads many times faster within one transaction. */
export async function inSlices<Item, Result>(
  items: ArrayLike<Item>,
  work: (item: Item) => Result,
  around: (slice: () => void) => void = (slice) => slice(),
): Promise<Result[]> {
  const results: Result[] = [];
  const slice = () => {
    const untilMs = performance.now() + sliceMs;
    do results.push(work(items[results.length] as Item));
    while (results.length < items.length && performance.now() < untilMs);
  };
  while (results.length < items.length) {
    if (results.length > 0) await turn();
    around(slice);
  }
  return results;
}
