/** Blocks that were read lately, within a bound of bytes. Two generations: cheaper to keep than an order of use. */
export class BlockCache {
  readonly #bytesMax: number;
  #young = new Map<number, Uint8Array>();
  #old = new Map<number, Uint8Array>();
  #youngBytes = 0;
  #files = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** A number for a file, so that its blocks can be told from others'. */
  addFile(): number {
    this.#files += 1;
    return this.#files;
  }

  get(file: number, offset: number): Uint8Array | undefined {
    const name = nameOf(file, offset);
    const block = this.#young.get(name);
    if (block) return block;
    const older = this.#old.get(name);
    if (older) this.#keep(name, older);
    return older;
  }

  set(file: number, offset: number, block: Uint8Array): void {
    this.#keep(nameOf(file, offset), block);
  }

  #keep(name: number, block: Uint8Array): void {
    this.#young.set(name, block);
    this.#youngBytes += block.length;
    if (this.#youngBytes * 2 < this.#bytesMax) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngBytes = 0;
  }
}

/** Offsets stay below 2^38 (256 GiB a file), which leaves room for 2^15 files in a number; names may recur after that. */
function nameOf(file: number, offset: number): number {
  return (file % 32_768) * 274_877_906_944 + offset;
}
