/** Merges pending changes of posting lists once nobody has written for a moment. During an import they are merged when there are many. */

const idleMs = 1000;

export class IdleMerge {
  readonly #step: () => Promise<boolean>;
  #timer: NodeJS.Timeout | undefined;
  #writes = 0;
  #isPending = false;
  #isClosed = false;

  /** A step says whether there is more to merge. */
  constructor(step: () => Promise<boolean>) {
    this.#step = step;
  }

  /** A write begins, or waits for the one before: nothing is merged until all have ended. */
  beginWrite(): void {
    this.#writes += 1;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  endWrite(isPending: boolean): void {
    this.#writes -= 1;
    this.#isPending = isPending;
    if (this.#writes === 0 && isPending && !this.#isClosed)
      this.#timer = setTimeout(() => void this.#run(), idleMs).unref();
  }

  /** The same for a write that failed: what was pending is so still. */
  failWrite(): void {
    this.endWrite(this.#isPending);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    try {
      // A write in between goes first, and sets the timer when it ends.
      while (this.#writes === 0 && !this.#timer && !this.#isClosed && (await this.#step()));
    } catch {
      // Pending changes are complete where they are, and the next write tries again.
    }
  }
}
