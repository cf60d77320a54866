/** The difference of two sorted label sequences, in both directions. */
import { yieldToEventLoop } from '../../../concurrency/event-loop-slices.ts';
import type { SortedLabels } from './merge-sorted.ts';

export interface Differences {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** One item per batch of the new sequence, then the rest of the old one. */
export async function* compareLabels(before: SortedLabels, after: SortedLabels): AsyncGenerator<Differences> {
  const old = new Reader(before);
  try {
    for await (const batch of after) {
      const [added, removed]: [string[], string[]] = [[], []];
      for (const label of batch) {
        let head = await old.head();
        for (; head !== undefined && head < label; head = await old.next()) {
          removed.push(head);
          if (removed.length >= batchMax) yield { added: [], removed: removed.splice(0) };
        }
        if (head === label) old.skip();
        else added.push(label);
      }
      yield { added, removed };
      await yieldToEventLoop();
    }
    for (let rest = await old.rest(); rest.length > 0; rest = await old.rest())
      yield { added: [], removed: rest };
  } finally {
    await old.close();
  }
}

const batchMax = 4096;

/** Returns promises only at batch boundaries: one for thousands of labels. */
class Reader {
  readonly #batches: AsyncIterator<readonly string[]>;
  #batch: readonly string[] = [];
  #at = 0;

  constructor(labels: SortedLabels) {
    this.#batches = labels[Symbol.asyncIterator]();
  }

  head(): string | undefined | Promise<string | undefined> {
    return this.#at < this.#batch.length ? this.#batch[this.#at] : this.#refill();
  }

  next(): string | undefined | Promise<string | undefined> {
    this.#at += 1;
    return this.head();
  }

  skip(): void {
    this.#at += 1;
  }

  async rest(): Promise<readonly string[]> {
    await this.head();
    const rest = this.#batch.slice(this.#at);
    this.#at = this.#batch.length;
    return rest;
  }

  async close(): Promise<void> {
    await this.#batches.return?.();
  }

  async #refill(): Promise<string | undefined> {
    for (;;) {
      const next = await this.#batches.next();
      this.#batch = next.done === true ? [] : next.value;
      this.#at = 0;
      if (next.done === true || this.#batch.length > 0) return this.#batch[0];
    }
  }
}
