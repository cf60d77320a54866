/**
 * An arena of keys, each with a header of its length and its sighting, and their sorting by multikey quicksort (three-way
 * radix quicksort; Bentley & Sedgewick 1997, https://www.cs.princeton.edu/~rs/strings/paper.pdf) on words of four bytes, which reads each
 * byte of a shared prefix about once. Sorting permutes offsets, not keys, and is bound by cache misses; so everything that
 * belongs to a key is stored beside it.
 */

const insertionMax = 12;
/** Length of the key, first, last, low and high half of the count, unit. */
const headerWords = 6;
const headerBytes = 4 * headerWords;
const halfCount = 2 ** 32;

/** An entry is identified by its offset in words of four bytes. */
export type Entry = number;

export class KeyArena {
  bytes: Uint8Array;
  #words: Uint32Array;
  /** The offset of the next entry in bytes. */
  #end = 0;
  #entries: Uint32Array;
  count = 0;
  #first = 0;
  #last = 0;
  #seen = 0;
  #unit = 0;

  constructor(bytesExpected: number, keysExpected: number) {
    this.bytes = new Uint8Array(4 * Math.ceil(bytesExpected / 4));
    this.#words = new Uint32Array(this.bytes.buffer);
    this.#entries = new Uint32Array(keysExpected);
  }

  /** Empties the arena and keeps its memory. */
  clear(): void {
    this.#end = 0;
    this.count = 0;
  }

  /** Sets the sighting of the keys pushed from now on. */
  observe(first: number, last: number, seen: number, unit: number): void {
    this.#first = first;
    this.#last = last;
    this.#seen = seen;
    this.#unit = unit;
  }

  /** Reserves space for a key of at most this many bytes, and returns the offset to write it at. */
  reserve(length: number): number {
    const wanted = this.#end + headerBytes + length + 4;
    if (wanted > this.bytes.length) {
      const larger = new Uint8Array(4 * Math.ceil(Math.max(this.bytes.length * 2, wanted) / 4));
      larger.set(this.bytes.subarray(0, this.#end));
      this.bytes = larger;
      this.#words = new Uint32Array(larger.buffer);
    }
    return this.#end + headerBytes;
  }

  /** Adds the bytes written up to `keyEnd` as a key. */
  push(keyEnd: number): void {
    if (this.count === this.#entries.length) {
      const larger = new Uint32Array(Math.max(1024, this.count * 2));
      larger.set(this.#entries);
      this.#entries = larger;
    }
    const entry = this.#end >>> 2;
    const words = this.#words;
    words[entry] = keyEnd - this.#end - headerBytes;
    words[entry + 1] = this.#first;
    words[entry + 2] = this.#last;
    words[entry + 3] = this.#seen;
    words[entry + 4] = this.#seen / halfCount;
    words[entry + 5] = this.#unit;
    this.#entries[this.count++] = entry;
    this.#end = (keyEnd + 3) & ~3;
  }

  startOf(entry: Entry): number {
    return entry * 4 + headerBytes;
  }

  lengthOf(entry: Entry): number {
    return this.#words[entry] as number;
  }

  firstOf(entry: Entry): number {
    return this.#words[entry + 1] as number;
  }

  lastOf(entry: Entry): number {
    return this.#words[entry + 2] as number;
  }

  countOf(entry: Entry): number {
    return (this.#words[entry + 3] as number) + (this.#words[entry + 4] as number) * halfCount;
  }

  unitOf(entry: Entry): number {
    return this.#words[entry + 5] as number;
  }

  sameKey(left: Entry, right: Entry): boolean {
    const length = this.lengthOf(left);
    return length === this.lengthOf(right) && this.sharedPrefix(left, right) === length;
  }

  /** The length of the prefix that two keys have in common. Keys begin at words, so that four bytes are compared at once. */
  sharedPrefix(left: Entry, right: Entry): number {
    const words = this.#words;
    const leftLength = words[left] as number;
    const rightLength = words[right] as number;
    const common = leftLength < rightLength ? leftLength : rightLength;
    const leftAt = left + headerWords;
    const rightAt = right + headerWords;
    const whole = common >>> 2;
    let word = 0;
    while (word < whole && words[leftAt + word] === words[rightAt + word]) word += 1;
    const { bytes } = this;
    let shared = word * 4;
    while (shared < common && bytes[leftAt * 4 + shared] === bytes[rightAt * 4 + shared]) shared += 1;
    return shared;
  }

  /** The entries sorted by key. */
  sorted(): Uint32Array {
    const order = this.#entries.slice(0, this.count);
    const words = new Uint32Array(this.count);
    const stack = [0, this.count, 0];
    while (stack.length > 0) {
      const depth = stack.pop() as number;
      const to = stack.pop() as number;
      const from = stack.pop() as number;
      if (to - from <= insertionMax || !this.#loadWords(order, words, from, to, depth)) {
        this.#insertionSort(order, from, to, depth);
      } else this.#partition(order, words, from, to, depth, stack);
    }
    return order;
  }

  /** Three-way partitioning by the loaded words; ranges of equal words go on the stack, to be sorted by the next four bytes. */
  #partition(
    order: Uint32Array,
    words: Uint32Array,
    start: number,
    end: number,
    depth: number,
    stack: number[],
  ) {
    const open = [start, end];
    while (open.length > 0) {
      const to = open.pop() as number;
      const from = open.pop() as number;
      if (to - from <= insertionMax) {
        if (to - from > 1) this.#insertionSort(order, from, to, depth);
        continue;
      }
      const pivot = median(
        words[from] as number,
        words[(from + to) >>> 1] as number,
        words[to - 1] as number,
      );
      let less = from;
      let greater = to;
      for (let index = from; index < greater; ) {
        const word = words[index] as number;
        if (word < pivot) swap(order, words, index++, less++);
        else if (word > pivot) swap(order, words, index, --greater);
        else index += 1;
      }
      if (less > from) open.push(from, less);
      if (to > greater) open.push(greater, to);
      if (greater - less > 1) stack.push(less, greater, depth + 4);
    }
  }

  /** Loads four bytes of each key at this depth, zeros after its end. False when every key ends before this depth. */
  #loadWords(order: Uint32Array, words: Uint32Array, from: number, to: number, depth: number): boolean {
    const { bytes } = this;
    const header = this.#words;
    let going = false;
    for (let index = from; index < to; index += 1) {
      const entry = order[index] as number;
      const at = entry * 4 + headerBytes + depth;
      const left = (header[entry] as number) - depth;
      if (left > 0) going = true;
      if (left >= 4) {
        words[index] =
          (((bytes[at] as number) << 24) |
            ((bytes[at + 1] as number) << 16) |
            ((bytes[at + 2] as number) << 8) |
            (bytes[at + 3] as number)) >>>
          0;
      } else {
        let word = 0;
        for (let byte = 0; byte < 4; byte += 1)
          word = (word << 8) | (byte < left ? (bytes[at + byte] as number) : 0);
        words[index] = word >>> 0;
      }
    }
    return going;
  }

  #insertionSort(order: Uint32Array, from: number, to: number, depth: number): void {
    // Only keys that all ended come here in such numbers: they differ in trailing zeros at most, and usually are one key.
    if (to - from > insertionMax) {
      order
        .subarray(from, to)
        .sort((left, right) => this.lengthOf(left) - this.lengthOf(right) || left - right);
      return;
    }
    for (let index = from + 1; index < to; index += 1) {
      const key = order[index] as number;
      let slot = index;
      while (slot > from && this.#compare(order[slot - 1] as number, key, depth) > 0) {
        order[slot] = order[slot - 1] as number;
        slot -= 1;
      }
      order[slot] = key;
    }
  }

  #compare(left: number, right: number, depth: number): number {
    const { bytes } = this;
    const leftStart = left * 4 + headerBytes;
    const rightStart = right * 4 + headerBytes;
    const leftLength = this.#words[left] as number;
    const rightLength = this.#words[right] as number;
    const common = leftLength < rightLength ? leftLength : rightLength;
    for (let index = depth; index < common; index += 1) {
      const difference = (bytes[leftStart + index] as number) - (bytes[rightStart + index] as number);
      if (difference !== 0) return difference;
    }
    return leftLength - rightLength;
  }
}

function swap(order: Uint32Array, words: Uint32Array, left: number, right: number): void {
  const key = order[left] as number;
  order[left] = order[right] as number;
  order[right] = key;
  const word = words[left] as number;
  words[left] = words[right] as number;
  words[right] = word;
}

function median(first: number, second: number, third: number): number {
  if (first < second) return second < third ? second : first < third ? third : first;
  return first < third ? first : second < third ? third : second;
}
