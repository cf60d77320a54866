/**
 * A k-way merge over the same table of several segments: keys in order, each once, with the cursors that are on it. A binary heap
 * orders the cursors (https://en.wikipedia.org/wiki/K-way_merge_algorithm#Heap).
 *
 * With a leaf filter by time, `drivers` produce the keys from leaves that may match, and unfiltered `fillers` then look up
 * each key in every segment, since the rest of its sightings may be in leaves that were skipped.
 */
import { compareBytes } from './byte-order.ts';
import { type LeafFilter, TableCursor, type TableReader } from './table-reader.ts';

const none: readonly TableCursor[] = [];

export class MergingCursor {
  key: Uint8Array = new Uint8Array(0);
  keyLength = 0;
  /** The cursors that are on the key: the first `holderCount` of these. */
  readonly holders: TableCursor[] = [];
  holderCount = 0;
  /** A binary min-heap by key. */
  readonly #heap: TableCursor[] = [];
  readonly #drivers: readonly TableCursor[];
  readonly #fillers: readonly TableCursor[];
  readonly #borrowed: boolean;

  constructor(tables: readonly TableReader[], filterOf?: (table: TableReader) => LeafFilter) {
    if (!filterOf) {
      this.#drivers = tables.map((table) => table.borrowCursor());
      this.#fillers = none;
      this.#borrowed = true;
      return;
    }
    const drivers: TableCursor[] = [];
    let skipping = false;
    for (const table of tables) {
      const filter = filterOf(table);
      if (filter.skips) skipping = true;
      if (!filter.skips?.(table.minFirst, table.maxLast)) drivers.push(new TableCursor(table, filter));
    }
    this.#drivers = drivers;
    this.#fillers = skipping ? tables.map((table) => new TableCursor(table)) : none;
    this.#borrowed = false;
  }

  /** Returns borrowed cursors to their pools; the merge cannot be used afterwards. */
  release(): void {
    if (this.#borrowed) for (const cursor of this.#drivers) cursor.table.returnCursor(cursor);
  }

  seek(target: Uint8Array): boolean {
    this.#heap.length = 0;
    this.holderCount = 0;
    for (const cursor of this.#drivers) {
      if (cursor.seekKey(target, target.length)) this.#push(cursor);
    }
    for (const cursor of this.#fillers) cursor.seekKey(target, target.length);
    return this.#gather();
  }

  step(): boolean {
    if (this.#fillers.length > 0) {
      // The holders were fillers; the drivers on this key are still in the heap.
      for (;;) {
        const top = this.#heap[0];
        if (!top || compareBytes(top.key, top.keyLength, this.key, this.keyLength) > 0) break;
        this.#stepTop(top);
      }
      return this.#gather();
    }
    // The first holder is still the top of the heap, and usually stays there.
    const [top] = this.#heap;
    if (top && this.holderCount > 0) this.#stepTop(top);
    for (let index = 1; index < this.holderCount; index += 1) {
      const cursor = this.holders[index] as TableCursor;
      if (cursor.step()) this.#push(cursor);
    }
    return this.#gather();
  }

  #gather(): boolean {
    this.holderCount = 0;
    const heap = this.#heap;
    const top = heap[0];
    if (!top) return false;
    if (this.#fillers.length > 0) return this.#gatherFrom(top);
    this.key = top.key;
    this.keyLength = top.keyLength;
    this.holders[this.holderCount++] = top;
    // Cursors with the same key are children of the top.
    while (isSame(heap[1], top) || isSame(heap[2], top)) {
      const at = isSame(heap[1], top) ? 1 : 2;
      this.holders[this.holderCount++] = heap[at] as TableCursor;
      const last = heap.pop() as TableCursor;
      if (at < heap.length) this.#siftDown(at, last);
    }
    return true;
  }

  /** Advances the top cursor and restores the heap order. */
  #stepTop(top: TableCursor): void {
    if (top.step()) this.#siftDown(0, top);
    else {
      const last = this.#heap.pop() as TableCursor;
      if (this.#heap.length > 0) this.#siftDown(0, last);
    }
  }

  /** The key is the driver's; the holders are the fillers that have it too. */
  #gatherFrom(driver: TableCursor): boolean {
    if (this.key.length < driver.keyLength) this.key = new Uint8Array(driver.keyLength * 2);
    this.key.set(driver.key.subarray(0, driver.keyLength));
    this.keyLength = driver.keyLength;
    const compare = (cursor: TableCursor) =>
      compareBytes(cursor.key, cursor.keyLength, this.key, this.keyLength);
    for (const filler of this.#fillers) {
      if (filler.seekForward(this.key, this.keyLength, compare) && compare(filler) === 0) {
        this.holders[this.holderCount++] = filler;
      }
    }
    return true;
  }

  #push(cursor: TableCursor): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(cursor);
    while (at > 0) {
      const above = (at - 1) >>> 1;
      if (!isBefore(cursor, heap[above] as TableCursor)) break;
      heap[at] = heap[above] as TableCursor;
      at = above;
    }
    heap[at] = cursor;
  }

  /**
   * Bottom-up sift-down from a free slot: the slot moves down along the smaller children without comparing with the cursor,
   * which usually belongs near the leaves, and the cursor then moves up to where it fits. Saves about half the comparisons
   * (Wegener 1993, https://doi.org/10.1016/0304-3975(93)90364-Y).
   */
  #siftDown(from: number, cursor: TableCursor): void {
    const heap = this.#heap;
    let at = from;
    for (let below = at * 2 + 1; below < heap.length; below = at * 2 + 1) {
      if (below + 1 < heap.length && isBefore(heap[below + 1] as TableCursor, heap[below] as TableCursor))
        below += 1;
      heap[at] = heap[below] as TableCursor;
      at = below;
    }
    while (at > from) {
      const above = (at - 1) >>> 1;
      if (!isBefore(cursor, heap[above] as TableCursor)) break;
      heap[at] = heap[above] as TableCursor;
      at = above;
    }
    heap[at] = cursor;
  }
}

function isSame(cursor: TableCursor | undefined, top: TableCursor): boolean {
  return (
    cursor !== undefined &&
    cursor.keyLength === top.keyLength &&
    compareBytes(cursor.key, cursor.keyLength, top.key, top.keyLength) === 0
  );
}

function isBefore(left: TableCursor, right: TableCursor): boolean {
  return compareBytes(left.key, left.keyLength, right.key, right.keyLength) < 0;
}
