/** Whether a connection sees another state of its database than before: of what other connections have committed, and of what it has written. */
import type { Database } from '../database.ts';

export class SnapshotVersion {
  readonly #ofOthers;
  readonly #own;
  #others: unknown;
  #changes: unknown;

  constructor(database: Database) {
    this.#ofOthers = database.prepare('pragma data_version').pluck();
    this.#own = database.prepare('select total_changes()').pluck();
  }

  /** To be called within a read transaction, whose state it is about: whether it is another one than with the call before. */
  hasChanged(): boolean {
    const [others, changes] = [this.#ofOthers.get(), this.#own.get()];
    if (others === this.#others && changes === this.#changes) return false;
    this.#others = others;
    this.#changes = changes;
    return true;
  }
}
