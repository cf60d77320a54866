/**
 * Which names are on lists of any account. Names hidden by exclusions count too: a change of their name servers may list them again.
 * Names that no monitor matches any more do not.
 */
import type { Database } from '../database.ts';

export class ListedNames {
  readonly #listed;
  readonly #watched;

  constructor(database: Database) {
    this.#listed = database.prepare('select 1 from domain where name = ? and matched = 1 limit 1').pluck();
    this.#watched = database
      .prepare(
        "select distinct name from domain where state = 'watched' and matched = 1 and name > ? order by name limit ?",
      )
      .pluck();
  }

  isListed(name: string): boolean {
    return this.#listed.get(name) !== undefined;
  }

  listWatched(after: string, limit: number): readonly string[] {
    return this.#watched.all(after, limit) as string[];
  }
}
