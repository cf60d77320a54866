/**
 * Group commit: operations that arrive while one transaction waits for the disk share the next transaction and its sync (DeWitt et
 * al., "Implementation Techniques for Main Memory Database Systems", https://doi.org/10.1145/602259.602261). Operations run in the
 * order in which they were queued.
 */

/** Limits of one transaction: while it runs, other processes wait for the lock. */
const operationsMax = 256;
const bytesMax = 8 << 20;

interface Shared<Operation> {
  readonly operation: Operation;
  readonly bytes: number;
}

/** Runs alone, outside a shared transaction. */
interface Exclusive {
  readonly work: () => Promise<unknown>;
}

interface Queued<Operation> {
  readonly queued: Shared<Operation> | Exclusive;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

export class GroupCommit<Operation> {
  readonly #commit: (operations: readonly Operation[]) => Promise<readonly unknown[]>;
  readonly #queue: Queued<Operation>[] = [];
  #isRunning = false;

  /** `commit` runs all operations in one transaction, which is durable when it resolves to their results. */
  constructor(commit: (operations: readonly Operation[]) => Promise<readonly unknown[]>) {
    this.#commit = commit;
  }

  /** Resolves when the transaction is durable. `bytes` is what the operation will write, roughly. */
  run<Result>(operation: Operation, bytes = 0): Promise<Result> {
    return this.#enqueue({ operation, bytes });
  }

  /** For work that opens transactions of its own. */
  runExclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#enqueue({ work });
  }

  #enqueue<Result>(queued: Shared<Operation> | Exclusive): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ queued, resolve, reject });
      if (!this.#isRunning) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#isRunning = true;
    while (this.#queue.length > 0) {
      // What has already arrived joins the next batch.
      await new Promise((resolve) => setImmediate(resolve));
      const batch = this.#nextBatch();
      try {
        const results = await this.#runBatch(batch.map(({ queued }) => queued));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as never);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isRunning = false;
  }

  async #runBatch(batch: readonly (Shared<Operation> | Exclusive)[]): Promise<readonly unknown[]> {
    const [first] = batch;
    if (first && 'work' in first) return [await first.work()];
    return this.#commit((batch as readonly Shared<Operation>[]).map(({ operation }) => operation));
  }

  #nextBatch(): Queued<Operation>[] {
    let bytes = 0;
    let count = 0;
    for (const { queued } of this.#queue) {
      if ('work' in queued) {
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
