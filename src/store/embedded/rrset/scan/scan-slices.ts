/**
 * A scan as an asynchronous iterator of slices. Each slice is a few milliseconds of work, and the iterator yields to the event loop
 * before the next one. Written by hand, because most lookups are one slice, for which a generator costs more than the scan.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Slices } from '../../../rrset-store.ts';
import type { OpenSegments } from '../open-segments.ts';
import type { ResumableScan } from './resumable-scan.ts';

const sliceMs = 5;
const sliceItems = 1000;
/** Larger results are better streamed, since a row may have much data. */
const syncItemsMax = 64;

export class ScanSlices<Item> implements Slices<Item>, AsyncIterableIterator<readonly Item[]> {
  readonly #scan: ResumableScan<Item>;
  readonly #open: OpenSegments;
  #segments: ReturnType<OpenSegments['current']> | undefined;
  readonly #itemsMax: number;
  /** The first slice, where `readAllSync` read it and there is more. */
  #first: readonly Item[] | undefined;
  #done = false;

  constructor(scan: ResumableScan<Item>, open: OpenSegments, wanted = sliceItems) {
    this.#scan = scan;
    this.#open = open;
    this.#itemsMax = Math.min(sliceItems, wanted);
  }

  readAllSync(): readonly Item[] | undefined {
    const items = this.#slice();
    if (this.#done && items.length <= syncItemsMax) return items;
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
    if (this.#segments) await yieldToEventLoop();
    if (this.#done) return { done: true, value: undefined };
    return { done: false, value: this.#slice() };
  }

  async return(): Promise<IteratorResult<readonly Item[], undefined>> {
    this.#done = true;
    this.#first = undefined;
    return { done: true, value: undefined };
  }

  #slice(): Item[] {
    const segments = this.#open.current();
    if (segments !== this.#segments) this.#scan.rebind(segments);
    this.#segments = segments;
    const items: Item[] = [];
    this.#done = this.#scan.gather(items, this.#itemsMax, performance.now() + sliceMs);
    if (this.#done) this.#scan.release();
    return items;
  }
}
