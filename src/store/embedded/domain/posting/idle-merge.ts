/** Merges pending changes of posting lists once nobody has written for a moment. During an import they are merged when there are many. */

const idleMs = 1000;

export class IdleMerge {
  readonly #step: () => Promise<boolean>;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** A step says whether there is more to merge. */
  constructor(step: () => Promise<boolean>) {
    this.#step = step;
  }

  /** Something was written, and changes are pending. */
  noteWrite(): void {
    if (this.#isClosed) return;
    if (this.#timer) this.#timer.refresh();
    else this.#timer = setTimeout(() => void this.#run(), idleMs).unref();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    try {
      // A write in between sets the timer, and goes first.
      while (!this.#timer && !this.#isClosed && (await this.#step()));
    } catch {
      // Pending changes are complete where they are, and the next write tries again.
    }
  }
}
