/**
 * A scan as an asynchronous iterator of slices, read page by page. While a page is on its way, slices are empty: so a caller that has lost its
 * client can end the scan, and with it the query on the server.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { sliceRowsMax } from '../../rrset/scan/scan-slices.ts';
import type { Slices } from '../../rrset-store.ts';

/** How long a slice may take. */
const sliceMs = 200;

const fewItemsMax = 100;

/** Reads in the order of a scan. */
export interface PageReader<Item> {
  /** Undefined when there are no more. A page may be empty. */
  nextPage(signal: AbortSignal): Promise<readonly Item[] | undefined>;
}

export class PagedSlices<Item> implements Slices<Item>, AsyncIterableIterator<readonly Item[]> {
  readonly #reader: PageReader<Item>;
  readonly #controller = new AbortController();
  #items: readonly Item[] = [];
  #at = 0;
  #pending: Promise<readonly Item[] | undefined> | undefined;
  #isDone = false;
  readonly #onComplete: (items: readonly Item[]) => void;
  /** All items so far, unless they are many. */
  #few: Item[] | undefined = [];

  /** `onComplete` is called with all items, where they are few. */
  constructor(reader: PageReader<Item>, onComplete: (items: readonly Item[]) => void = () => undefined) {
    this.#reader = reader;
    this.#onComplete = onComplete;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<readonly Item[], undefined>> {
    if (this.#isDone) return { done: true, value: undefined };
    if (this.#at < this.#items.length) return { done: false, value: this.#slice() };
    const page = await this.#nextPage();
    if (this.#isDone) return { done: true, value: undefined };
    if (page === 'waiting') return { done: false, value: [] };
    if (!page) {
      if (this.#few) this.#onComplete(this.#few);
      return this.return();
    }
    if (this.#few && this.#few.length + page.length <= fewItemsMax) this.#few.push(...page);
    else this.#few = undefined;
    this.#items = page;
    this.#at = 0;
    return { done: false, value: this.#slice() };
  }

  async return(): Promise<IteratorResult<readonly Item[], undefined>> {
    this.#isDone = true;
    this.#items = [];
    this.#controller.abort();
    return { done: true, value: undefined };
  }

  #slice(): readonly Item[] {
    const from = this.#at;
    this.#at += sliceRowsMax;
    return this.#items.slice(from, this.#at);
  }

  async #nextPage(): Promise<readonly Item[] | undefined | 'waiting'> {
    if (!this.#pending) {
      this.#pending = this.#reader.nextPage(this.#controller.signal);
      // A failure that comes while nobody waits is thrown by the next call, or concerns nobody.
      this.#pending.catch(() => undefined);
    }
    const timer = new AbortController();
    const waited = pause(sliceMs, 'waiting' as const, { signal: timer.signal }).catch(
      () => 'waiting' as const,
    );
    try {
      const page = await Promise.race([this.#pending, waited]);
      if (page !== 'waiting') this.#pending = undefined;
      return page;
    } catch (error) {
      this.#isDone = true;
      // Who ended the scan is not interested in how its query ended.
      if (this.#controller.signal.aborted) return undefined;
      throw error;
    } finally {
      timer.abort();
    }
  }
}

/** A result that is known already. */
export class KnownSlices<Item> implements Slices<Item> {
  readonly #items: readonly Item[];

  constructor(items: readonly Item[]) {
    this.#items = items;
  }

  readAllSync(): readonly Item[] {
    return this.#items;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<readonly Item[]> {
    for (let from = 0; from < this.#items.length; from += sliceRowsMax) {
      yield this.#items.slice(from, from + sliceRowsMax);
    }
  }
}
