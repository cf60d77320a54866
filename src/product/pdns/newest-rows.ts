/** Keeps the newest of any number of rows, in bounded memory. Of rows with the same time the earlier offered is kept. */
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

  /** How many rows were offered. */
  get seen(): number {
    return this.#seen;
  }

  offer(row: Row): void {
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
        'so many rows of this size cannot be sorted; ask for fewer',
      );
    }
  }

  take(): readonly Row[] {
    this.#prune();
    return this.#rows;
  }

  /** Sorting is stable and rows come in order, so equal times stay in it. */
  #prune(): void {
    this.#rows.sort((left, right) => right.lastSeconds - left.lastSeconds);
    if (this.#rows.length < this.#wanted) return;
    this.#rows.length = this.#wanted;
    this.#oldestKept = this.#rows.at(-1)?.lastSeconds ?? Number.POSITIVE_INFINITY;
    this.#bytes = this.#rows.reduce((sum, row) => sum + this.#bytesOf(row), 0);
  }
}
