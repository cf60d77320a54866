/**
 * Merges the b-trees of the full-text indexes (https://sqlite.org/fts5.html#the_merge_command). Writes add small b-trees, all of which
 * every search reads; a merge in steps lets other writes run in between.
 */
import type { Database } from '../../database.ts';

const indexes = ['value_part', 'name_part', 'whois', 'past_whois'] as const;
/** Pages that one step writes, in some tens of milliseconds. */
const stepPages = 1000;
/** A merge without anything left to do changes one row. */
const activeChanges = 2;

export class TextIndexes {
  readonly #merges;
  readonly #changes;

  constructor(database: Database) {
    this.#merges = indexes.map((index) =>
      database.prepare(`insert into ${index} (${index}, rank) values ('merge', ?)`),
    );
    this.#changes = database.prepare('select total_changes()').pluck();
  }

  /** Whether there may be more to merge. The first step, with a negative number, starts a merge of all b-trees into one. */
  merge(index: number, isFirst: boolean): boolean {
    const before = this.#changes.get() as number;
    this.#merges[index]?.run(isFirst ? -stepPages : stepPages);
    return (this.#changes.get() as number) - before >= activeChanges;
  }
}

export const textIndexCount = indexes.length;
