/** Limits the concurrent lookups of each key in this process. */
import { Problem } from '../../model/problem.ts';

export class ConnectionLimit {
  /** Counters are never removed: there is at most one per key. */
  readonly #open = new Map<string, { count: number }>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  acquire(key: string): void {
    let open = this.#open.get(key);
    if (!open) {
      open = { count: 0 };
      this.#open.set(key, open);
    }
    if (open.count >= this.#max) {
      throw new Problem(
        'too-many-connections',
        `concurrent connection limit exceeded: the API key has ${open.count} lookups in progress`,
      );
    }
    open.count += 1;
  }

  release(key: string): void {
    const open = this.#open.get(key);
    if (open) open.count -= 1;
  }
}
