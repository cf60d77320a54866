/** Changes of posting lists in the order of their arrival, and sorted by key. */

import { sortedIndexes } from '../../../domain/search/radix-sort.ts';
import type { ValueKey } from '../../../domain/value-keys.ts';
import type { DomainId } from '../../../domain-store.ts';
import { idOf, isAdded, type SortedChanges } from './posting-block.ts';

const initialCapacity = 4096;

export class ChangeBuffer {
  #keys = new BigInt64Array(initialCapacity);
  #changes = new Uint32Array(initialCapacity);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(key: ValueKey, id: DomainId): void {
    this.#push(key, id * 2 + 1);
  }

  remove(key: ValueKey, id: DomainId): void {
    this.#push(key, id * 2);
  }

  /** Additions of domains whose ids are counted from here. */
  addAll(keys: BigInt64Array, ids: Uint32Array, firstId: DomainId): void {
    this.#reserve(keys.length);
    this.#keys.set(keys, this.#count);
    for (const id of ids) this.#changes[this.#count++] = (firstId + id) * 2 + 1;
  }

  /** All keys and their ids, where nothing was removed. */
  listed(): { readonly addedKeys: BigInt64Array<ArrayBuffer>; readonly addedIds: Uint32Array<ArrayBuffer> } {
    return {
      addedKeys: this.#keys.slice(0, this.#count),
      addedIds: this.#changes.slice(0, this.#count).map(idOf),
    };
  }

  clear(): void {
    this.#count = 0;
  }

  /**
   * The changes of an import, which add new domains in the order of their ids: sorted and without repeated ones, all of them are effective.
   * Undefined where there are others. Halves of keys are compared, because reading a key makes an object.
   */
  additions(firstNewId: DomainId): SortedChanges | undefined {
    for (let at = 0; at < this.#count; at += 1) {
      const change = this.#changes[at] as number;
      if (!isAdded(change) || idOf(change) < firstNewId) return undefined;
    }
    const order = sortedIndexes(this.#keys, this.#count);
    const halves = new Int32Array(this.#keys.buffer);
    const changes = new Uint32Array(this.#count);
    const sorted = new Int32Array(this.#count * 2);
    let count = 0;
    for (const index of order) {
      const low = halves[index * 2] as number;
      const high = halves[index * 2 + 1] as number;
      const change = this.#changes[index] as number;
      if (count > 0 && low === sorted[count * 2 - 2] && high === sorted[count * 2 - 1]) {
        const previous = changes[count - 1] as number;
        if (change === previous) continue;
        if (change < previous) return undefined;
      }
      sorted[count * 2] = low;
      sorted[count * 2 + 1] = high;
      changes[count] = change;
      count += 1;
    }
    return { keys: new BigInt64Array(sorted.buffer, 0, count), changes: changes.subarray(0, count) };
  }

  /** Each key once, with its changes in the order of their arrival. */
  *byKey(): Generator<readonly [ValueKey, readonly number[]]> {
    const order = sortedIndexes(this.#keys, this.#count);
    for (let at = 0; at < this.#count; ) {
      const key = this.#keys[order[at] as number] as ValueKey;
      const ofKey: number[] = [];
      for (; at < this.#count && this.#keys[order[at] as number] === key; at += 1)
        ofKey.push(this.#changes[order[at] as number] as number);
      yield [key, ofKey];
    }
  }

  #push(key: ValueKey, change: number): void {
    this.#reserve(1);
    this.#keys[this.#count] = key;
    this.#changes[this.#count] = change;
    this.#count += 1;
  }

  #reserve(more: number): void {
    const needed = this.#count + more;
    if (needed <= this.#keys.length) return;
    const [keys, changes] = [this.#keys, this.#changes];
    this.#keys = new BigInt64Array(Math.max(needed, keys.length * 2));
    this.#changes = new Uint32Array(this.#keys.length);
    this.#keys.set(keys);
    this.#changes.set(changes);
  }
}
