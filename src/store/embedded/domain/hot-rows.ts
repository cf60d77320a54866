/**
 * Rows that searches have read lately, ready for use, as long as nobody has written: the chunks of frequent values and the numbers
 * that results are sorted by are asked for again and again.
 */
import type { Database } from '../database.ts';

/** Rows of eight kilobytes at most: some twelve megabytes. */
const rowsMax = 1500;

export class HotRows {
  readonly #version;
  readonly #changes;
  #rows = new Map<string | number, unknown>();
  #state = '';
  #isChecked = false;

  constructor(database: Database) {
    this.#version = database.prepare('pragma data_version').pluck();
    this.#changes = database.prepare('select total_changes()').pluck();
  }

  /** For every moment anew. */
  begin(): void {
    this.#isChecked = false;
  }

  /** Within the transaction that reads: forgets what others, or we ourselves, may have changed. */
  #check(): void {
    this.#isChecked = true;
    const state = `${this.#version.get() as number} ${this.#changes.get() as number}`;
    if (state === this.#state) return;
    this.#rows.clear();
    this.#state = state;
  }

  get<Row>(key: string | number, read: () => Row): Row {
    if (!this.#isChecked) this.#check();
    const known = this.#rows.get(key) as Row | undefined;
    if (known !== undefined) return known;
    const row = read();
    if (this.#rows.size >= rowsMax) this.#rows.clear();
    this.#rows.set(key, row);
    return row;
  }
}
