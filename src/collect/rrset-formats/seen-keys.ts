/**
 * Remembers texts in bounded memory: it may forget one (a later text took its place), and practically never takes one for
 * another (52 bits of it are compared). Memory is taken with the first text.
 */

const slots = 1_048_576;

/** Two independent hashes in one pass: the first chooses the slot, the second is what the slot holds. */
export class SeenKeys {
  #marks: Int32Array | undefined;
  #slot = 0;
  #mark = 0;

  add(key: string): void {
    this.#hash(key);
    this.#marks ??= new Int32Array(slots);
    this.#marks[this.#slot] = this.#mark;
  }

  has(key: string): boolean {
    if (this.#marks === undefined) return false;
    this.#hash(key);
    return this.#marks[this.#slot] === this.#mark;
  }

  /** Whether it is remembered; it no longer is then. */
  take(key: string): boolean {
    if (!this.has(key)) return false;
    if (this.#marks) this.#marks[this.#slot] = 0;
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
    // Zero is what an empty slot holds.
    this.#mark = second | 0 || 1;
  }
}
