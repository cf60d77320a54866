/**
 * The indexes of texts. What is written to them lies in many parts, each of which every search looks in; after much was written they are
 * made one, a step at a time, so that others write in between. SQLite calls that a merge, and does nothing more when it is done.
 */
import type { Database } from '../database.ts';

const indexes = ['value_part', 'name_part', 'whois', 'past_whois'] as const;
/** Pages of an index that a step writes, in some tens of milliseconds. */
const stepPages = 1000;
/** A merge that has nothing to do changes one row. */
const idleChanges = 2;

export class TextIndexes {
  readonly #merges;
  readonly #changes;

  constructor(database: Database) {
    this.#merges = indexes.map((index) =>
      database.prepare(`insert into ${index} (${index}, rank) values ('merge', ?)`),
    );
    this.#changes = database.prepare('select total_changes()').pluck();
  }

  /** Of the index at a place; whether there may be more to do. The first step of an index says that all parts of it are meant. */
  merge(place: number, isFirst: boolean): boolean {
    const before = this.#changes.get() as number;
    this.#merges[place]?.run(isFirst ? -stepPages : stepPages);
    return (this.#changes.get() as number) - before >= idleChanges;
  }
}

export const textIndexCount = indexes.length;
