/**
 * Ranks by name, a million of them in some thirty megabytes: all names in one run of bytes, found by a table of slots. A map of texts would take
 * three times as much.
 */
import { setImmediate as turn } from 'node:timers/promises';

const emptySlot = 0;
/** As many as find their slots without a pause for others. */
const sliceNames = 10_000;

export class PopularityTable {
  #names = Buffer.alloc(1 << 16);
  /** Where each name begins; the next one begins where it ends. */
  #starts = new Uint32Array(1 << 12);
  #ranks = new Uint32Array(1 << 12);
  /** One more than the number of a name. */
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

  /** When all are there, before any is found. Of a name that came twice the first rank counts. */
  async finish(): Promise<void> {
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * this.size + 2)));
    for (let index = 0; index < this.size; index += 1) {
      const slot = this.#slotOf(this.#names.subarray(this.#starts[index], this.#starts[index + 1]));
      if (this.#slots[slot] === emptySlot) this.#slots[slot] = index + 1;
      if (index % sliceNames === sliceNames - 1) await turn();
    }
  }

  find(name: string): number | undefined {
    const number = this.#slots[this.#slotOf(Buffer.from(name, 'latin1'))] as number;
    return number === emptySlot ? undefined : this.#ranks[number - 1];
  }

  /** That of the name, or the empty one where it would be. */
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

/** FNV-1a with its bits stirred, for only the low ones are looked at. */
function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}
