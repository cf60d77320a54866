/** Compares the number of entries of an index with those that the records account for, by hash bucket of their keys: in constant memory. */
import type { ValueKey } from './value-keys.ts';

/** Keys are hashes, so their lower bits are a bucket. */
const bucketBits = 20;

export class EntryBalance {
  /** Entries of the index less those that the records account for. */
  readonly #surplus = new Int32Array(2 ** bucketBits);

  /** Negative for those that a record accounts for. */
  count(key: ValueKey, entries: number): void {
    const bucket = bucketOf(key);
    this.#surplus[bucket] = (this.#surplus[bucket] as number) + entries;
  }

  hasSurplus(): boolean {
    return this.#surplus.some((entries) => entries > 0);
  }

  /** Whether the key, or another one of its bucket, has too many entries. */
  mayBeStale(key: ValueKey): boolean {
    return (this.#surplus[bucketOf(key)] as number) > 0;
  }
}

function bucketOf(key: ValueKey): number {
  return Number(BigInt.asUintN(bucketBits, key));
}
