/**
 * Group commit: operations that arrive while one transaction waits for the disk share the next transaction and its sync (DeWitt et
 * al., "Implementation Techniques for Main Memory Database Systems", https://doi.org/10.1145/602259.602261). Operations run in the
 * order in which they were queued.
 */

/** Limits of one transaction: while it runs, other processes wait for the lock. */
const operationsMax = 256;
const bytesMax = 8 << 20;

interface Queued {
  readonly work: () => unknown;
  readonly bytes: number;
  /** Runs alone, outside a shared transaction. */
  readonly isExclusive: boolean;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

export class GroupCommit {
  readonly #commit: (operations: readonly (() => unknown)[]) => Promise<readonly unknown[]>;
  readonly #queue: Queued[] = [];
  #isRunning = false;

  /** `commit` runs all operations in one transaction, which is durable when it resolves. */
  constructor(commit: (operations: readonly (() => unknown)[]) => Promise<readonly unknown[]>) {
    this.#commit = commit;
  }

  /** Resolves when the transaction is durable. `bytes` is what the operation will write, roughly. */
  run<Result>(work: () => Result, bytes = 0): Promise<Result> {
    return this.#enqueue(work, bytes, false);
  }

  /** For work that opens transactions of its own. */
  runExclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#enqueue(work, 0, true);
  }

  #enqueue<Result>(work: () => unknown, bytes: number, isExclusive: boolean): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ work, bytes, isExclusive, resolve, reject });
      if (!this.#isRunning) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#isRunning = true;
    while (this.#queue.length > 0) {
      // Messages that have already arrived join the next batch.
      await new Promise((resolve) => setImmediate(resolve));
      const batch = this.#nextBatch();
      try {
        const works = batch.map(({ work }) => work);
        const results = batch[0]?.isExclusive ? [await works[0]?.()] : await this.#commit(works);
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as never);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isRunning = false;
  }

  #nextBatch(): Queued[] {
    let bytes = 0;
    let count = 0;
    for (const queued of this.#queue) {
      if (queued.isExclusive) {
        if (count === 0) count = 1;
        break;
      }
      bytes += queued.bytes;
      if (count > 0 && (bytes > bytesMax || count >= operationsMax)) break;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }
}
