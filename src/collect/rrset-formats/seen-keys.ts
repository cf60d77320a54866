/**
 * A fixed-size table of key fingerprints. A key may be forgotten (another took its slot); a false positive is practically
 * impossible, since 52 bits are compared. Memory is allocated with the first key.
 */

const slots = 1_048_576;

/** Two independent hashes in one pass: the first selects the slot, the second is stored in it. */
export class SeenKeys {
  #fingerprints: Int32Array | undefined;
  #slot = 0;
  #fingerprint = 0;

  add(key: string): void {
    this.#hash(key);
    this.#fingerprints ??= new Int32Array(slots);
    this.#fingerprints[this.#slot] = this.#fingerprint;
  }

  has(key: string): boolean {
    if (this.#fingerprints === undefined) return false;
    this.#hash(key);
    return this.#fingerprints[this.#slot] === this.#fingerprint;
  }

  /** Whether the key was present. */
  delete(key: string): boolean {
    if (!this.has(key)) return false;
    if (this.#fingerprints) this.#fingerprints[this.#slot] = 0;
    return true;
  }

  #hash(key: string): void {
    let first = 0x811c9dc5;
    let second = 0x9e3779b9;
    for (let at = 0; at < key.length; at += 1) {
      const unit = key.charCodeAt(at);
      first = Math.imul(first ^ unit, 0x01000193);
      second = Math.imul(second + unit, 0x85ebca6b) ^ (second >>> 13);
    }
    this.#slot = (first ^ (first >>> 15)) & (slots - 1);
    // Zero marks an empty slot.
    this.#fingerprint = second | 0 || 1;
  }
}
