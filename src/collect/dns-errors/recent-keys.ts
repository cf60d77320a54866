/** A deduplication window: keys added within `windowMs`. When it is full, the oldest key is evicted. */
export class RecentKeys {
  readonly #keysMax: number;
  readonly #windowMs: number;
  /** Time of addition, oldest first. */
  readonly #addedMs = new Map<string, number>();

  constructor(keysMax: number, windowMs: number) {
    this.#keysMax = keysMax;
    this.#windowMs = windowMs;
  }

  /** True for a key that was not in the window. */
  addIfNew(key: string, nowMs: number): boolean {
    const addedMs = this.#addedMs.get(key);
    // Absolute, because the clock may have been set back.
    if (addedMs !== undefined && Math.abs(nowMs - addedMs) < this.#windowMs) return false;
    this.#addedMs.delete(key);
    this.#addedMs.set(key, nowMs);
    this.#forget(nowMs);
    return true;
  }

  /** Evicts at most two keys for each addition: enough to bound the size, without a long pause after an idle time. */
  #forget(nowMs: number): void {
    let left = 2;
    for (const [key, addedMs] of this.#addedMs) {
      const isOver = this.#addedMs.size > this.#keysMax || nowMs - addedMs >= this.#windowMs;
      if (!isOver || left-- === 0) return;
      this.#addedMs.delete(key);
    }
  }
}
