/**
 * A walk as an asynchronous iterator of slices. Each slice is a few milliseconds of work, and the event loop has a turn
 * before the next one. Written by hand, because most lookups are one slice, for which a generator costs more than the walk.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Slices } from '../../rrset-store.ts';
import type { OpenRuns } from './open-runs.ts';
import type { Walk } from './row-walk.ts';

const sliceMs = 5;
const sliceItems = 1000;
/** More than this is better written piece by piece: a row may have much data. */
const atOnceMax = 64;

export class WalkSlices<Item> implements Slices<Item>, AsyncIterableIterator<readonly Item[]> {
  readonly #walk: Walk<Item>;
  readonly #open: OpenRuns;
  #runs: ReturnType<OpenRuns['current']> | undefined;
  readonly #itemsMax: number;
  /** The first slice, when somebody asked for everything at once and there is more. */
  #first: readonly Item[] | undefined;
  #done = false;

  constructor(walk: Walk<Item>, open: OpenRuns, wanted = sliceItems) {
    this.#walk = walk;
    this.#open = open;
    this.#itemsMax = Math.min(sliceItems, wanted);
  }

  atOnce(): readonly Item[] | undefined {
    const items = this.#slice();
    if (this.#done && items.length <= atOnceMax) return items;
    this.#first = items;
    return undefined;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<readonly Item[], undefined>> {
    if (this.#first) {
      const value = this.#first;
      this.#first = undefined;
      return { done: false, value };
    }
    if (this.#done) return { done: true, value: undefined };
    if (this.#runs) await turn();
    if (this.#done) return { done: true, value: undefined };
    return { done: false, value: this.#slice() };
  }

  async return(): Promise<IteratorResult<readonly Item[], undefined>> {
    this.#done = true;
    this.#first = undefined;
    return { done: true, value: undefined };
  }

  #slice(): Item[] {
    const runs = this.#open.current();
    if (runs !== this.#runs) this.#walk.rebind(runs);
    this.#runs = runs;
    const items: Item[] = [];
    this.#done = this.#walk.gather(items, this.#itemsMax, performance.now() + sliceMs);
    if (this.#done) this.#walk.release();
    return items;
  }
}
