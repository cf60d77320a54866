/**
 * A value that changes with every listed batch, for caches of this node. PostgreSQL notifies of each; beside that it is asked once a second, since a
 * node that is cut off is not notified. While it is not known, no two values are the same.
 */
import { secondMs } from '../../../model/durations.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { type BatchList, listedTopic } from './batch-list.ts';

/** What was found out so long ago is asked for again. */
const freshMs = secondMs / 2;
/** What was found out longer ago is not known. */
const knownMs = 2 * freshMs;

export class ListedState {
  readonly #database: PostgresDatabase;
  readonly #list: BatchList;
  #version: number | undefined;
  #askedMs = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;
  #unlisten: (() => void) | undefined;
  /** Counts notifications: an answer to a question from before one is out of date. */
  #changes = 0;
  #isClosed = false;

  constructor(database: PostgresDatabase, list: BatchList) {
    this.#database = database;
    this.#list = list;
  }

  current(): unknown {
    this.#unlisten ??= this.#listen();
    const ageMs = performance.now() - this.#askedMs;
    if (ageMs > freshMs) this.#ask();
    return this.#version === undefined || ageMs > knownMs ? {} : this.#version;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#asking;
    this.#unlisten?.();
  }

  #listen(): () => void {
    return this.#database.signals(listedTopic).listen(() => {
      this.#changes += 1;
      this.#version = undefined;
      this.#askedMs = Number.NEGATIVE_INFINITY;
    });
  }

  #ask(): void {
    if (this.#isClosed) return;
    this.#asking ??= this.#find().finally(() => {
      this.#asking = undefined;
    });
  }

  async #find(): Promise<void> {
    const [askedMs, changes] = [performance.now(), this.#changes];
    try {
      const version = await this.#list.version();
      if (changes !== this.#changes) return;
      this.#version = version;
      this.#askedMs = askedMs;
    } catch {
      // It is asked again.
    }
  }
}
