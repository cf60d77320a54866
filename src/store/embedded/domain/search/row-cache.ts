/**
 * A cache of decoded rows, cleared whenever the database has changed: chunks of frequent values and columns that results are sorted
 * by are needed by search after search.
 */
import type { Database } from '../../database.ts';
import { SnapshotVersion } from '../snapshot-version.ts';

/** Rows of at most eight kilobytes: some twelve megabytes. */
const rowsMax = 1500;

export class RowCache {
  readonly #version: SnapshotVersion;
  #rows = new Map<string | number, unknown>();
  #isChecked = false;

  constructor(database: Database) {
    this.#version = new SnapshotVersion(database);
  }

  /** To be called in every read transaction. */
  beginTransaction(): void {
    this.#isChecked = false;
  }

  /** Within the read transaction: clears the cache where this connection or another one has written. */
  #check(): void {
    this.#isChecked = true;
    if (this.#version.hasChanged()) this.#rows.clear();
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
