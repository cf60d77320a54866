/**
 * A k-way merge of all entries of several tables, for compaction, which reads each of them once: a tree of losers with offset-value coding
 * (Knuth, The Art of Computer Programming 3, 5.4.1; Do and Graefe 2023, https://doi.org/10.1145/3555806). The code of an entry says where its key
 * first differs from the key that was taken last, and by which byte there, so most comparisons are those of two numbers, and the
 * bytes that keys share are read about once. The prefixes in the blocks give the codes away.
 */
import { copyBytes } from './byte-order.ts';
import type { TableCursor } from './table-reader.ts';

/** Above the length of any key. */
const offsetMax = 2 ** 27;
/** Of a key that is the one taken last. */
const repeated = 0;
/** Of a cursor that has no more entries. */
const ended = Number.POSITIVE_INFINITY;

export class LoserTree {
  /** The key that was taken last. */
  key = new Uint8Array(512);
  keyLength = 0;
  readonly #cursors: readonly TableCursor[];
  /** Relative to the key taken last; of a cursor that lost a comparison since, to the winner. Keys that come sooner have lesser codes. */
  readonly #codes: Float64Array;
  /** Where the key of each cursor first differs from what its code is relative to. */
  readonly #offsets: Uint32Array;
  /** The cursors that lost at each inner node: the first is not used, node n has the children 2n and 2n + 1, and the leaves follow. */
  readonly #losers: Int32Array;
  #winner = -1;

  constructor(cursors: readonly TableCursor[]) {
    this.#cursors = cursors;
    this.#codes = new Float64Array(cursors.length);
    this.#offsets = new Uint32Array(cursors.length);
    this.#losers = new Int32Array(cursors.length).fill(-1);
  }

  /** The cursor on the next entry, in the order of keys; undefined after the last. It stays there until the next call. */
  next(): TableCursor | undefined {
    if (this.#winner < 0) this.#begin();
    else {
      this.#codeNext(this.#winner);
      this.#replay(this.#winner);
    }
    return this.#codes[this.#winner] === ended ? undefined : this.#cursors[this.#winner];
  }

  /** Whether the next entry has the key that was taken last, from another table. */
  get isRepeated(): boolean {
    return this.#codes[this.#winner] === repeated;
  }

  /** Takes the key of the next entry; gives the length of the prefix that it has in common with the one taken before. */
  takeKey(): number {
    const { key, keyLength } = this.#cursors[this.#winner] as TableCursor;
    const shared = this.#offsets[this.#winner] as number;
    if (this.key.length < keyLength) {
      const larger = new Uint8Array(keyLength * 2);
      larger.set(this.key.subarray(0, shared));
      this.key = larger;
    }
    // What is shared is there already.
    copyBytes(key, shared, keyLength - shared, this.key, shared);
    this.keyLength = keyLength;
    return shared;
  }

  #begin(): void {
    const first = new Uint8Array(0);
    for (const [index, cursor] of this.#cursors.entries()) {
      if (cursor.seekKey(first, 0)) this.#code(index, cursor, 0);
      else this.#codes[index] = ended;
    }
    // Each enters at its leaf, and waits at the first node that nobody came to before.
    for (const index of this.#cursors.keys()) this.#replay(index);
  }

  /** From a leaf to the root: who loses stays at the node, who wins goes on. */
  #replay(entered: number): void {
    const losers = this.#losers;
    let winner = entered;
    for (let node = (entered + losers.length) >>> 1; node > 0; node >>>= 1) {
      const other = losers[node] as number;
      if (other < 0) {
        losers[node] = winner;
        return;
      }
      if (this.#isBefore(other, winner)) {
        losers[node] = winner;
        winner = other;
      }
    }
    this.#winner = winner;
  }

  /** Moves the cursor whose entry was taken last, so that its key before this one is the key taken. */
  #codeNext(index: number): void {
    const cursor = this.#cursors[index] as TableCursor;
    if (!cursor.step()) {
      this.#codes[index] = ended;
      return;
    }
    const { key, keyLength } = cursor;
    const common = keyLength < this.keyLength ? keyLength : this.keyLength;
    let shared = cursor.shared < common ? cursor.shared : common;
    while (shared < common && key[shared] === this.key[shared]) shared += 1;
    const isAfter =
      shared < keyLength &&
      (shared === this.keyLength || (key[shared] as number) > (this.key[shared] as number));
    if (!isAfter) cursor.fail('its keys are not in order');
    this.#code(index, cursor, shared);
  }

  #code(index: number, { key, keyLength }: TableCursor, offset: number): void {
    // A key that ends there comes before all that have a byte.
    const byte = offset < keyLength ? (key[offset] as number) + 1 : 0;
    this.#codes[index] = (offsetMax - offset) * 257 + byte;
    this.#offsets[index] = offset;
  }

  /** The code of the one that comes later is made relative to the other. */
  #isBefore(left: number, right: number): boolean {
    const code = this.#codes[left] as number;
    const other = this.#codes[right] as number;
    if (code !== other) return code < other;
    // The order of the tables decides between equal keys.
    if (code === repeated || code === ended) return left < right;
    return this.#compareRest(left, right);
  }

  /** Of two keys with the same code, which are the same up to the byte that it has. */
  #compareRest(left: number, right: number): boolean {
    const one = this.#cursors[left] as TableCursor;
    const other = this.#cursors[right] as TableCursor;
    const { key, keyLength } = one;
    const { key: otherKey, keyLength: otherLength } = other;
    const common = keyLength < otherLength ? keyLength : otherLength;
    let offset = (this.#offsets[left] as number) + 1;
    while (offset < common && key[offset] === otherKey[offset]) offset += 1;
    const isEnd = offset >= common;
    if (isEnd && keyLength === otherLength) {
      const isFirst = left < right;
      const later = isFirst ? right : left;
      this.#codes[later] = repeated;
      this.#offsets[later] = keyLength;
      return isFirst;
    }
    const isBefore = isEnd ? keyLength < otherLength : (key[offset] as number) < (otherKey[offset] as number);
    if (isBefore) this.#code(right, other, offset);
    else this.#code(left, one, offset);
    return isBefore;
  }
}
