/**
 * One part of several runs read as one: keys in order, each once, with the cursors that stand on it. With a choice of
 * leaves by time, keys come from leaves that may match, but every run is asked for its share of such a key.
 */
import { compareBytes } from './byte-order.ts';
import { type LeafChoice, PartCursor, type PartReader } from './part-reader.ts';

const none: readonly PartCursor[] = [];

export class PartMerge {
  key: Uint8Array = new Uint8Array(0);
  keyLength = 0;
  /** The cursors that stand on the key: the first `holderCount` of these. */
  readonly holders: PartCursor[] = [];
  holderCount = 0;
  /** A heap by key. */
  readonly #heap: PartCursor[] = [];
  readonly #drivers: readonly PartCursor[];
  readonly #fillers: readonly PartCursor[];
  readonly #lent: boolean;

  constructor(parts: readonly PartReader[], choiceOf?: (part: PartReader) => LeafChoice) {
    if (!choiceOf) {
      this.#drivers = parts.map((part) => part.takeCursor());
      this.#fillers = none;
      this.#lent = true;
      return;
    }
    const drivers: PartCursor[] = [];
    let skipping = false;
    for (const part of parts) {
      const choice = choiceOf(part);
      if (choice.skips) skipping = true;
      if (!choice.skips?.(part.minFirst, part.maxLast)) drivers.push(new PartCursor(part, choice));
    }
    this.#drivers = drivers;
    this.#fillers = skipping ? parts.map((part) => new PartCursor(part)) : none;
    this.#lent = false;
  }

  /** Nothing more is asked of this merge, so others may use its cursors. */
  release(): void {
    if (this.#lent) for (const cursor of this.#drivers) cursor.part.giveBack(cursor);
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
      // What was handed out came from the fillers; the drivers that stand on this key are still in the heap.
      for (;;) {
        const top = this.#heap[0];
        if (!top || compareBytes(top.key, top.keyLength, this.key, this.keyLength) > 0) break;
        this.#stepTop(top);
      }
      return this.#gather();
    }
    // The first holder is still the top of the heap, which it mostly leaves alone.
    const [top] = this.#heap;
    if (top && this.holderCount > 0) this.#stepTop(top);
    for (let index = 1; index < this.holderCount; index += 1) {
      const cursor = this.holders[index] as PartCursor;
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
    // Whoever holds the same key is directly below the top.
    while (isSame(heap[1], top) || isSame(heap[2], top)) {
      const at = isSame(heap[1], top) ? 1 : 2;
      this.holders[this.holderCount++] = heap[at] as PartCursor;
      const last = heap.pop() as PartCursor;
      if (at < heap.length) this.#sink(at, last);
    }
    return true;
  }

  /** Moves the top on, and to its new place. */
  #stepTop(top: PartCursor): void {
    if (top.step()) this.#sink(0, top);
    else {
      const last = this.#heap.pop() as PartCursor;
      if (this.#heap.length > 0) this.#sink(0, last);
    }
  }

  /** The key stays the driver's; the fillers that hold it too are handed out. */
  #gatherFrom(driver: PartCursor): boolean {
    if (this.key.length < driver.keyLength) this.key = new Uint8Array(driver.keyLength * 2);
    this.key.set(driver.key.subarray(0, driver.keyLength));
    this.keyLength = driver.keyLength;
    const compare = (cursor: PartCursor) =>
      compareBytes(cursor.key, cursor.keyLength, this.key, this.keyLength);
    for (const filler of this.#fillers) {
      if (filler.seekForward(this.key, this.keyLength, compare) && compare(filler) === 0) {
        this.holders[this.holderCount++] = filler;
      }
    }
    return true;
  }

  #push(cursor: PartCursor): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(cursor);
    while (at > 0) {
      const above = (at - 1) >>> 1;
      if (!isBefore(cursor, heap[above] as PartCursor)) break;
      heap[at] = heap[above] as PartCursor;
      at = above;
    }
    heap[at] = cursor;
  }

  /**
   * Puts a cursor into a free place and below. It mostly belongs far down, so the place goes down along the lesser children
   * without comparing, and then up to where the cursor fits.
   */
  #sink(from: number, cursor: PartCursor): void {
    const heap = this.#heap;
    let at = from;
    for (let below = at * 2 + 1; below < heap.length; below = at * 2 + 1) {
      if (below + 1 < heap.length && isBefore(heap[below + 1] as PartCursor, heap[below] as PartCursor))
        below += 1;
      heap[at] = heap[below] as PartCursor;
      at = below;
    }
    while (at > from) {
      const above = (at - 1) >>> 1;
      if (!isBefore(cursor, heap[above] as PartCursor)) break;
      heap[at] = heap[above] as PartCursor;
      at = above;
    }
    heap[at] = cursor;
  }
}

function isSame(cursor: PartCursor | undefined, top: PartCursor): boolean {
  return (
    cursor !== undefined &&
    cursor.keyLength === top.keyLength &&
    compareBytes(cursor.key, cursor.keyLength, top.key, top.keyLength) === 0
  );
}

function isBefore(left: PartCursor, right: PartCursor): boolean {
  return compareBytes(left.key, left.keyLength, right.key, right.keyLength) < 0;
}
