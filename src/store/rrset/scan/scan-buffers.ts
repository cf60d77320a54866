/**
 * Bounds the memory of all scans together: only those that worked last keep their cursors, read-ahead buffers and caches. The others,
 * such as those whose clients have stopped reading, keep a position, and seek to it when they go on.
 */
export class ScanBuffers {
  readonly #max: number;
  /** In the order of their last use. */
  readonly #holders = new Set<BufferHolder>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Called when the holder has worked; makes another one release its buffers where there are too many. */
  use(holder: BufferHolder): void {
    this.#holders.delete(holder);
    this.#holders.add(holder);
    if (this.#holders.size <= this.#max) return;
    const [oldest] = this.#holders;
    if (!oldest) return;
    this.#holders.delete(oldest);
    oldest.releaseBuffers();
  }

  delete(holder: BufferHolder): void {
    this.#holders.delete(holder);
  }
}

export interface BufferHolder {
  releaseBuffers(): void;
}
