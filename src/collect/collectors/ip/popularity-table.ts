/**
 * An open-addressing hash table from name to rank: a million names in 30 MB, a third of what a Map of strings takes. All names are
 * in one byte array.
 */
import { yieldToEventLoop } from '../../../concurrency/event-loop-slices.ts';

const emptySlot = 0;
/** Names inserted between two yields to the event loop. */
const sliceNames = 10_000;

export class PopularityTable {
  #names = Buffer.alloc(1 << 16);
  /** Offset of each name; it ends where the next begins. */
  #starts = new Uint32Array(1 << 12);
  #ranks = new Uint32Array(1 << 12);
  /** Index of the name plus one; 0 is an empty slot. */
  #slots = new Uint32Array(1);
  size = 0;

  add(name: string, rank: number): void {
    const start = this.#starts[this.size] as number;
    if (this.size + 1 >= this.#starts.length) {
      this.#starts = doubled(this.#starts);
      this.#ranks = doubled(this.#ranks);
    }
    if (start + name.length > this.#names.length) this.#growBytes(name.length);
    this.#names.write(name, start, 'latin1');
    this.#ranks[this.size] = rank;
    this.size += 1;
    this.#starts[this.size] = start + name.length;
  }

  /** Call after the last `add` and before the first `find`. The first rank of a repeated name counts. */
  async finish(): Promise<void> {
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * this.size + 2)));
    for (let index = 0; index < this.size; index += 1) {
      const slot = this.#slotOf(this.#names.subarray(this.#starts[index], this.#starts[index + 1]));
      if (this.#slots[slot] === emptySlot) this.#slots[slot] = index + 1;
      if (index % sliceNames === sliceNames - 1) await yieldToEventLoop();
    }
  }

  find(name: string): number | undefined {
    const number = this.#slots[this.#slotOf(Buffer.from(name, 'latin1'))] as number;
    return number === emptySlot ? undefined : this.#ranks[number - 1];
  }

  /** The slot of the name, or the empty slot where it would be inserted. */
  #slotOf(name: Uint8Array): number {
    const mask = this.#slots.length - 1;
    for (let slot = hashOf(name) & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot] as number;
      if (number === emptySlot) return slot;
      const [start, end] = [this.#starts[number - 1] as number, this.#starts[number] as number];
      if (this.#names.compare(name, 0, name.length, start, end) === 0) return slot;
    }
  }

  #growBytes(more: number): void {
    const larger = Buffer.alloc(this.#names.length * 2 + more);
    this.#names.copy(larger);
    this.#names = larger;
  }
}

function doubled(words: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(words.length * 2);
  larger.set(words);
  return larger;
}

/** FNV-1a with a final mix, because only the low bits select the slot. */
function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}
