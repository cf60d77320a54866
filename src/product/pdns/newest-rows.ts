/**
 * Top-k selection: keeps the newest of any number of rows, by pruning a buffer of at most twice as many, within bounded memory. Of
 * rows with the same time those added first are kept.
 */
import type { Sighting } from '../../model/dns/rrset.ts';
import { fieldProblem } from '../../model/problem.ts';

const bytesMax = 64 * 1024 * 1024;

export class NewestRows<Row extends Sighting> {
  readonly #wanted: number;
  readonly #bytesOf: (row: Row) => number;
  #rows: Row[] = [];
  #bytes = 0;
  #oldestKept = Number.NEGATIVE_INFINITY;
  #seen = 0;

  constructor(wanted: number, bytesOf: (row: Row) => number) {
    this.#wanted = wanted;
    this.#bytesOf = bytesOf;
  }

  /** How many rows were added. */
  get seen(): number {
    return this.#seen;
  }

  add(row: Row): void {
    this.#seen += 1;
    if (row.lastSeconds <= this.#oldestKept) return;
    this.#rows.push(row);
    this.#bytes += this.#bytesOf(row);
    if (this.#rows.length < 2 * this.#wanted && this.#bytes <= bytesMax) return;
    this.#prune();
    if (this.#bytes > bytesMax) {
      throw fieldProblem(
        'invalid-parameters',
        'limit',
        'too many rows of this size to sort; use a lower limit',
      );
    }
  }

  sorted(): readonly Row[] {
    this.#prune();
    return this.#rows;
  }

  /** The sort is stable, so rows with equal times stay in the order they were added. */
  #prune(): void {
    this.#rows.sort((left, right) => right.lastSeconds - left.lastSeconds);
    if (this.#rows.length < this.#wanted) return;
    this.#rows.length = this.#wanted;
    this.#oldestKept = this.#rows.at(-1)?.lastSeconds ?? Number.POSITIVE_INFINITY;
    this.#bytes = this.#rows.reduce((sum, row) => sum + this.#bytesOf(row), 0);
  }
}
