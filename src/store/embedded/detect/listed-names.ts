/** Which names are on lists of any account. Names hidden by exclusions count too: a change of their name servers may list them again. */
import type { DomainState } from '../../../model/detect/watchlist.ts';
import type { Database } from '../database.ts';

export class ListedNames {
  readonly #states;
  readonly #watched;

  constructor(database: Database) {
    this.#states = database.prepare('select distinct state from domain where name = ?').pluck();
    this.#watched = database
      .prepare("select distinct name from domain where state = 'watched' and name > ? order by name limit ?")
      .pluck();
  }

  find(name: string): { readonly watched: boolean } | undefined {
    const states = this.#states.all(name) as DomainState[];
    return states.length === 0 ? undefined : { watched: states.includes('watched') };
  }

  listWatched(after: string, limit: number): readonly string[] {
    return this.#watched.all(after, limit) as string[];
  }
}
