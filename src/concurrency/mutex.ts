/** Mutual exclusion: work runs one after another in the order of the calls, whether the one before succeeds or fails. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  runExclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
