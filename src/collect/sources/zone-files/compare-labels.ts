/** What is in one sorted sequence of labels and not in the other, in both directions. */
import { setImmediate as turn } from 'node:timers/promises';
import type { SortedLabels } from './merge-sorted.ts';

export interface Differences {
  readonly added: readonly string[];
  readonly gone: readonly string[];
}

/** One item for each batch of the new sequence, and one for the rest of the old one's. */
export async function* compareLabels(before: SortedLabels, after: SortedLabels): AsyncGenerator<Differences> {
  const old = new Reader(before);
  try {
    for await (const batch of after) {
      const [added, gone]: [string[], string[]] = [[], []];
      for (const label of batch) {
        let head = await old.head();
        for (; head !== undefined && head < label; head = await old.next()) {
          gone.push(head);
          if (gone.length >= batchMax) yield { added: [], gone: gone.splice(0) };
        }
        if (head === label) old.pass();
        else added.push(label);
      }
      yield { added, gone };
      await turn();
    }
    for (let rest = await old.rest(); rest.length > 0; rest = await old.rest())
      yield { added: [], gone: rest };
  } finally {
    await old.close();
  }
}

const batchMax = 4096;

/** Waits only where a batch ends: one promise for some thousand labels. */
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

  pass(): void {
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
