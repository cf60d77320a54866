/**
 * A cache of blocks bounded in bytes, with a two-generation approximation of LRU: a hit in the old generation moves the block
 * to the young one; when the young one is half the budget, it becomes the old one and the old one is dropped. This needs no
 * bookkeeping for hits in the young generation, unlike a linked list in order of use.
 */
export class BlockCache {
  readonly #bytesMax: number;
  #young = new Map<number, Uint8Array>();
  #old = new Map<number, Uint8Array>();
  #youngBytes = 0;
  #files = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** A number that identifies a file in `get` and `set`. */
  addFile(): number {
    this.#files += 1;
    return this.#files;
  }

  get(file: number, offset: number): Uint8Array | undefined {
    const key = keyOf(file, offset);
    const block = this.#young.get(key);
    if (block) return block;
    const older = this.#old.get(key);
    if (older) this.#add(key, older);
    return older;
  }

  set(file: number, offset: number, block: Uint8Array): void {
    this.#add(keyOf(file, offset), block);
  }

  #add(key: number, block: Uint8Array): void {
    this.#young.set(key, block);
    this.#youngBytes += block.length;
    if (this.#youngBytes * 2 < this.#bytesMax) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngBytes = 0;
  }
}

/** Offsets stay below 2^38 (256 GiB a file), which leaves 2^15 file numbers in a safe integer; they wrap around after that. */
function keyOf(file: number, offset: number): number {
  return (file % 32_768) * 274_877_906_944 + offset;
}
